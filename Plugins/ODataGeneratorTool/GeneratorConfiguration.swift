import Foundation
import ODataProxyGen

/// What `odata-generate.json` says: how all documents of a target are generated, and under `documents` what is different for
/// one of them, by its file's name.
struct GeneratorConfiguration: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case style, serviceName, access, family, provider, typePrefix, only, documents
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    var style: GenerationOptions.Style?
    var serviceName: String?
    var access: GenerationOptions.Access?
    var family: GenerationOptions.Family?
    var provider: GenerationOptions.Provider?
    var typePrefix: String?
    var only: [String]?
    var documents: [String: GeneratorConfiguration]?

    init() {}

    /// - Throws: for a word that is none of these, because a misspelt one would have no effect.
    init(from decoder: any Decoder) throws {
        let known = Set(CodingKeys.allCases.map(\.rawValue))
        for key in try decoder.container(keyedBy: AnyKey.self).allKeys
        where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription:
                        "Expected \(known.sorted().joined(separator: ", ")), found \(key.stringValue)."
                ))
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        style = try values.decodeIfPresent(GenerationOptions.Style.self, forKey: .style)
        serviceName = try values.decodeIfPresent(String.self, forKey: .serviceName)
        access = try values.decodeIfPresent(GenerationOptions.Access.self, forKey: .access)
        family = try values.decodeIfPresent(GenerationOptions.Family.self, forKey: .family)
        provider = try values.decodeIfPresent(GenerationOptions.Provider.self, forKey: .provider)
        typePrefix = try values.decodeIfPresent(String.self, forKey: .typePrefix)
        only = try values.decodeIfPresent([String].self, forKey: .only)
        documents = try values.decodeIfPresent(
            [String: GeneratorConfiguration].self, forKey: .documents)
    }

    /// What counts for a document.
    func settings(for document: String) -> GeneratorConfiguration {
        guard let own = documents?[document] else { return self }
        var merged = self
        merged.style = own.style ?? style
        merged.serviceName = own.serviceName ?? serviceName
        merged.access = own.access ?? access
        merged.family = own.family ?? family
        merged.provider = own.provider ?? provider
        merged.typePrefix = own.typePrefix ?? typePrefix
        merged.only = own.only ?? only
        return merged
    }
}

extension GenerationOptions.Style: Decodable {}
extension GenerationOptions.Access: Decodable {}
extension GenerationOptions.Family: Decodable {}
extension GenerationOptions.Provider: Decodable {}
