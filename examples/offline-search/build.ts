/**
 * Makes the page: one HTML file that holds its styles and its whole program, so that it works from any web server and
 * from the disk as well, where browsers load no modules.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { build } from "vite"

const here = import.meta.dirname
const folder = process.argv[2] ?? join(here, "dist")

const output = await build({
  root: here,
  configFile: false,
  logLevel: "error",
  // The workspace's own sources, so that nothing has to be built before. Elsewhere leave this line out.
  resolve: { conditions: ["@postcode/source"] },
  build: {
    write: false,
    target: "es2023",
    rolldownOptions: { input: join(here, "page.ts"), output: { format: "iife" } }
  }
})
if (!("output" in output)) throw new Error("expected one bundle of one file")
const program = output.output[0].code.replaceAll("</script", "<\\/script")

const html = await readFile(join(here, "index.html"), "utf8")
const page = html.replace('<script type="module" src="page.ts"></script>', () => `<script>${program}</script>`)
if (page === html) throw new Error("index.html: expected the script page.ts")

const file = join(folder, "index.html")
await mkdir(folder, { recursive: true })
await writeFile(file, page)
console.log(`${file}: ${page.length} characters, ${gzipSync(page, { level: 9 }).length} bytes gzipped`)
