/** A web server for the page and the files of the picker. Any other one does as well: nothing here is made as it runs. */
import { readFile } from "node:fs/promises"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { basename, dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Where the postcode service is; that of the workspace's `npm start` unless told. */
const gateway = process.env.GATEWAY ?? "http://127.0.0.1:3000"
/** The script and what it loads on demand. */
const pickerFolder = process.env.PICKER ?? dirname(fileURLToPath(import.meta.resolve("@postcode/widget/bundle")))

const headers = {
  "content-security-policy":
    `default-src 'none'; script-src 'self'; connect-src ${gateway}; img-src data:; ` +
    "require-trusted-types-for 'script'; trusted-types 'none'"
}

const answer = async (path: string, res: ServerResponse): Promise<void> => {
  if (path === "/") {
    const html = await readFile(join(import.meta.dirname, "index.html"), "utf8")
    res.writeHead(200, { ...headers, "content-type": "text/html; charset=utf-8" })
    res.end(html.replace("http://127.0.0.1:3000", gateway))
    return
  }
  const folder = path === "/page.js" ? import.meta.dirname : dirname(path) === "/picker" ? pickerFolder : undefined
  if (folder === undefined || extname(path) !== ".js") throw new Error(`there is no ${path}`)
  const script = await readFile(join(folder, basename(path)))
  res.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(script)
}

const server = createServer((req, res) => {
  const path = new URL(req.url ?? "/", "http://page").pathname
  answer(path, res).catch(() => res.writeHead(404, { "content-type": "text/plain" }).end("There is no such page.\n"))
})

server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

const stop = () => {
  server.close()
  // Browsers keep connections open that they no longer need.
  server.closeIdleConnections()
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
