import Foundation
import ODataCommand

exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
