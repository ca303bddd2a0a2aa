import Foundation
import SAPOData

/// Gives an encrypted store, opened with the key of the environment, another one.
func changeKey(file: String, to key: String) throws {
    let provider = makeProvider(service: "http://127.0.0.1:9/", file: file)
    try provider.open()
    let (clock, start, cpu) = (ContinuousClock(), ContinuousClock().now, cpuSeconds())
    try provider.changeEncryptionKey(to: key)
    let used = cpuSeconds() - cpu
    let wall = start.duration(to: clock.now) / .seconds(1)
    try provider.close()
    print("seconds=\(wall) cpu=\(used) peak_kib=\(peakKiB())")
}
