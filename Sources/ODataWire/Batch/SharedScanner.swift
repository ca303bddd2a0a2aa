/// A scanner that two hold: who reads the batch, and the scanner of a change set, whose bytes are the content of one of
/// its parts.
final class SharedScanner {
    var scanner: MultipartScanner

    init(_ scanner: consuming MultipartScanner) { self.scanner = scanner }
}
