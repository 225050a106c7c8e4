/** The console's files, as a server answers them. */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { type ConsoleFile, consoleFiles } from "../src/hosting/files.ts"

describe("the console's files", () => {
  let files: ReadonlyArray<ConsoleFile>
  beforeAll(async () => {
    files = (await consoleFiles()).filter(({ path }) => path.startsWith("/console"))
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

describe("the guides", () => {
  let files: ReadonlyMap<string, ConsoleFile>
  beforeAll(async () => {
    files = new Map((await consoleFiles()).map((file) => [file.path, file]))
  })
  const pages = () => [...files.values()].filter(({ path }) => /^\/docs\/(?:.*\/)?$/.test(path))
  /** Why nothing is at the address of a link; undefined if it leads somewhere. */
  const faultOf = (link: string): string | undefined => {
    const [, path = "", anchor] = /^([^#]*)(?:#(.*))?$/.exec(link) ?? []
    if (path === "/v1/docs" || path === "/v1/openapi.json") return undefined
    const file = files.get(path)
    if (file === undefined) return "no such page"
    return anchor === undefined || file.content.includes(`id="${decodeURIComponent(anchor)}"`)
      ? undefined
      : "no such heading"
  }

  it("have the pages that users need, with every error, and none about the inside", () => {
    expect(pages().length).toBeGreaterThan(80)
    for (const name of ["", "webhooks/", "credits/", "levels/", "http/lookup/", "reference/permissions/"]) {
      expect(files.get(`/docs/${name}`)?.content, name).toContain("<h1>")
    }
    const errors = globSync("docs/reference/errors/*.md", { cwd: join(import.meta.dirname, "../../..") })
    const codes = errors.map((file) => basename(file, ".md")).filter((name) => name !== "README")
    expect(codes.length).toBeGreaterThan(20)
    for (const code of codes) expect(files.has(`/docs/reference/errors/${code}/`), code).toBe(true)
    expect([...files.keys()].filter((path) => /architecture|\/adr\/|threat-model/.test(path))).toEqual([])
  })

  it("lead only to pages and headings that are there", () => {
    for (const { content, path } of pages()) {
      const links = [...content.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link)
      for (const link of links.filter((link) => !/^(?:https?:|mailto:|data:)/.test(link))) {
        const target = link.startsWith("#") ? path + link : link
        expect(faultOf(target), `${path}: ${link}`).toBeUndefined()
      }
    }
  })

  it("run nothing, and have no style that their policy forbids", () => {
    for (const { content, headers, path } of pages()) {
      expect(content, path).not.toMatch(/<script|<style| style=|<img|<iframe|\son\w+="|javascript:/)
      expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'self'; /)
    }
  })

  it("are where the screens of the console link to", () => {
    const folder = join(import.meta.dirname, "../src")
    const sources = globSync("**/*.{ts,tsx}", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"))
    const links = sources.flatMap((source) =>
      [...source.matchAll(/["`](\/(?:v1\/)?docs[^"`]*)["`]/g)].map(([, link = ""]) => link)
    )
    const screens = links.filter((link) => !/[$()[\]]/.test(link))
    expect(screens.length).toBeGreaterThan(2)
    for (const link of screens) expect(faultOf(link), link).toBeUndefined()
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
