/** The console's files, as a server answers them. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { type ConsoleFile, consoleFiles } from "../src/hosting/files.ts"

describe("the console's files", () => {
  let files: ReadonlyArray<ConsoleFile>
  beforeAll(async () => {
    files = await consoleFiles()
  })
  const pages = () => files.filter(({ contentType }) => contentType.startsWith("text/html"))
  const assets = () => files.filter((file) => !pages().includes(file))

  it("are one page at /console and /console/, and its assets below", () => {
    expect(pages().map(({ path }) => path)).toEqual(["/console", "/console/"])
    expect(new Set(pages().map(({ content }) => content)).size).toBe(1)
    for (const { path } of assets()) expect(path).toMatch(/^\/console\/assets\/[\w-]+-[\w-]{8}\.(css|js|svg)$/)
  })

  it("are cached without limit, except the page, which is revalidated", () => {
    expect(new Set(pages().map(({ headers }) => headers["cache-control"]))).toEqual(new Set(["no-cache"]))
    const kept = new Set(assets().map(({ headers }) => headers["cache-control"]))
    expect(kept).toEqual(new Set(["public, max-age=31536000, immutable"]))
  })

  it("have no inline script or style in the page, and a policy that allows none", () => {
    const [page] = pages()
    expect(page?.content).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]* src="\/console\/assets\/)/)
    const policy = page?.headers["content-security-policy"]?.split("; ")
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'"
    ]) {
      expect(policy).toContain(rule)
    }
    expect(page?.headers["referrer-policy"]).toBe("no-referrer")
    expect(page?.headers["cross-origin-opener-policy"]).toBe("same-origin")
    expect(page?.headers["permissions-policy"]).toContain("publickey-credentials-get=(self)")
  })

  it("are on the gateway's host only", () => {
    expect(new Set(files.map(({ host }) => host))).toEqual(new Set(["gateway"]))
  })

  it("contain no code of Effect or of core's errors", () => {
    for (const { content, path } of files) {
      expect(content, path).not.toMatch(/effect\/|~effect|TaggedError|InsufficientScope|runPromise/)
    }
  })
})

it("no two areas style the same class, because a style sheet stays once it is loaded", () => {
  const folder = join(import.meta.dirname, "../src")
  const classesIn = (pattern: string) =>
    globSync(pattern, { cwd: folder }).map((file) => {
      const sheet = readFileSync(join(folder, file), "utf8").replace(/\/\*.*?\*\//gs, "")
      return [...new Set(sheet.match(/\.[a-z][\w-]*/gi))]
    })
  const shared = new Set(classesIn("style/*.css").flat())
  const own = classesIn("screens/**/*.css").flatMap((names) => names.filter((name) => !shared.has(name)))
  expect(own).not.toEqual([])
  expect(own.filter((name, at) => own.indexOf(name) !== at)).toEqual([])
})
