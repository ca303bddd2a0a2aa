import Foundation
import ODataClasses
import ODataModel
import ODataQuery
import ODataSync
import ODataSyncPlan

/// What the engine has read, as values of the API.
struct OnlineResults {
    let model: MetadataModel

    func value(_ content: AnswerContent) -> DataValue? {
        switch content {
        case .nothing: return nil
        case .number(let number): return LongValue(number)
        case .entities(let pages):
            let list = EntityValueList()
            for page in pages { append(page, to: list) }
            return list
        case .entity(let found): return entity(found)
        case .value(let value, let type): return DataValue.of(value, type, in: model)
        case .stream(let answer):
            let stream = ByteStream.fromBinary(data: Data(answer.body))
            stream.mediaType = answer.headers["Content-Type"]
            stream.entityTag = answer.headers["ETag"]
            return stream
        }
    }

    /// The entities and links of one page as a list.
    func list(_ page: AnswerPage) -> EntityValueList {
        let list = EntityValueList()
        append(page, to: list)
        return list
    }

    /// Adds a page to a list; links and count of the page become those of the list.
    private func append(_ page: AnswerPage, to list: EntityValueList) {
        list.itemTypeObject = model[page.type] as? EntityType
        let rows = EntityValueList.rows(
            PageRows(page.rows), 0..<page.rows.count, in: model, set: page.set.map { model[$0] })
        list.append(contentsOf: rows.toArray())
        for item in page.items {
            switch item {
            case .entity(let found): list.append(entity(found))
            case .link(let found): list.changedLinks.append(link(found))
            }
        }
        if page.isReference { list.isReference = true }
        list.totalCount = page.count ?? list.totalCount
        list.nextLink = page.nextLink
        list.deltaLink = page.deltaLink ?? list.deltaLink
    }

    private func entity(_ found: AnswerEntity) -> EntityValue {
        let set = found.set.map { model[$0] }
        let entity = EntityValueList.rows(PageRows([found.value]), 0..<1, in: model, set: set)[0]
        if found.isReference { entity.isReference = true }
        if found.isRemoved { entity.isDeleted = true }
        return entity
    }

    private func link(_ found: AnswerLink) -> ChangedLink {
        let link = ChangedLink(
            source: entity(found.source),
            sourceProperty: model[found.sourceType].properties[found.slot],
            target: entity(found.target))
        (link.isCreated, link.isDeleted) = (!found.isDeleted, found.isDeleted)
        return link
    }
}
