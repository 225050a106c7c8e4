/** Unpacks the browser that npm brings from the folder given, into the folder for temporary files. */
import { join } from "node:path"
import { inflate } from "@sparticuz/chromium"

const archives = ["chromium.br", "al2023.tar.br", "fonts.tar.br", "swiftshader.tar.br"]
await Promise.all(archives.map((name) => inflate(join(process.argv[2] ?? "", name))))
