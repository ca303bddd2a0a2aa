// odata-generate: FieldService. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// The service, with a call for each entity set and operation.
open class FieldService: FieldServiceCalls2, @unchecked Sendable {
    /// Creates a service over a provider, which takes the metadata of the classes.
    public override init(provider: any DataServiceProvider) {
        super.init(provider: provider)
        provider.metadata = FieldServiceMetadata.document
        ProxyInternal.setCsdlFetcher(provider: provider, fetcher: nil)
        ProxyInternal.setCsdlOptions(provider: provider, options: FieldServiceMetadataParser.options)
        ProxyInternal.setMergeAction(provider: provider) { [weak service = self] in
            if let service { FieldServiceMetadataChanges.merge(metadata: service.metadata) }
        }
    }

    /// Held where the classes exchange their metadata.
    open override var metadataLock: MetadataLock { FieldServiceMetadata.lock }

    /// The entity set `Customers`.
    open class var customers: EntitySet {
        get { FieldServiceMetadata.EntitySets.customers }
        set(value) { FieldServiceMetadata.EntitySets.customers = value }
    }

    /// The entity set `Equipment`.
    open class var equipment: EntitySet {
        get { FieldServiceMetadata.EntitySets.equipment }
        set(value) { FieldServiceMetadata.EntitySets.equipment = value }
    }

    /// The entity set `Photos`.
    open class var photos: EntitySet {
        get { FieldServiceMetadata.EntitySets.photos }
        set(value) { FieldServiceMetadata.EntitySets.photos = value }
    }

    /// The entity set `Sites`.
    open class var sites: EntitySet {
        get { FieldServiceMetadata.EntitySets.sites }
        set(value) { FieldServiceMetadata.EntitySets.sites = value }
    }

    /// The entity set `TimeEntries`.
    open class var timeEntries: EntitySet {
        get { FieldServiceMetadata.EntitySets.timeEntries }
        set(value) { FieldServiceMetadata.EntitySets.timeEntries = value }
    }

    /// The entity set `WorkOrders`.
    open class var workOrders: EntitySet {
        get { FieldServiceMetadata.EntitySets.workOrders }
        set(value) { FieldServiceMetadata.EntitySets.workOrders = value }
    }

    /// The entity set `Memos`.
    open class var memos: EntitySet {
        get { FieldServiceMetadata.EntitySets.memos }
        set(value) { FieldServiceMetadata.EntitySets.memos = value }
    }

    /// The entity set `WorkOrderDrafts`.
    open class var workOrderDrafts: EntitySet {
        get { FieldServiceMetadata.EntitySets.workOrderDrafts }
        set(value) { FieldServiceMetadata.EntitySets.workOrderDrafts = value }
    }
}
