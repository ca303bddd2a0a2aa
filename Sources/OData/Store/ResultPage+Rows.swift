import ODataSQLite

extension ODataSQLite.ResultPage {
    /// The rows of a result, still to be decoded.
    func rows(_ model: RowModel) -> [Row] {
        chunks.flatMap { chunk in (0..<chunk.count).map { Row(chunk, $0, model) } }
    }
}
