import ODataText

extension ODataService {
    /// Reads access file, certificate and key again. What is wrong keeps nothing else from being taken, and leaves what
    /// there was.
    ///
    /// - Returns: a sentence for each that is wrong.
    package func reload() -> [String] {
        var sentences: [String] = []
        do {
            try configuration.access?.reload(checking: model)
        } catch {
            sentences.append("access file: \(error)")
        }
        do {
            try configuration.tls?.reload()
        } catch {
            sentences.append("certificate: \(error)")
        }
        return sentences
    }
}
