// odata-generate: Ledger. Do not edit; the next run replaces this file.
// swift-format-ignore-file
import Foundation
import SAPOData
import Synchronization

/// Reads the metadata that the classes were made from.
enum LedgerMetadataParser {
    /// Options of every reading of the service's metadata.
    static let options =
        CSDLOption.processMixedVersions | CSDLOption.ignoreUndefinedTerms
        | CSDLOption.allowCaseConflicts | CSDLOption.disableFacetWarnings
        | CSDLOption.disableNameValidation

    /// The document as it was when the classes were made.
    static let document: CSDLDocument = {
        let parser = CSDLParser()
        parser.logWarnings = false
        parser.csdlOptions = options
        let document = parser.parseInProxy(LedgerMetadataText.xml, url: "Ledger")
        LedgerFactory.registerAll(in: document)
        document.hasGeneratedProxies = true
        document.proxyVersion = "1"
        return document.immortalize()
    }()
}
