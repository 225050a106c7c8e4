import { describe, expect, it } from "vitest"
import { assertFiles, type HostedFile } from "../../src/documents/HostedFile.ts"

const file = (changes: Partial<HostedFile>): HostedFile => ({
  path: "/page",
  contentType: "text/html; charset=utf-8",
  content: "",
  ...changes
})

const check = (...files: ReadonlyArray<HostedFile>) => assertFiles(files, (path) => path.startsWith("/v1/lookup"))

describe("files of the operator's own", () => {
  it.each([
    "/",
    "/page",
    "/page.html",
    "/page/",
    "/v1/widget/embed",
    "/a/~b/c-d_e.js",
    "/.well-known/x",
    "/...",
    "/a/..b"
  ])("are at a path: %s", (path) => check(file({ path })))

  it.each([
    "",
    "page",
    "//",
    "/page//",
    "/a//b",
    "/a b",
    "/é",
    "/:id",
    "/a?b",
    "/a#b",
    "/%61",
    "/\n",
    "/.",
    "/../x",
    "/a/./x",
    "/a/.."
  ])("are at no path that requests could not have: %j", (path) =>
    expect(() => check(file({}), file({ path }))).toThrow(/^files, 1: expected a path/)
  )

  it.each([Promise.resolve([file({})]), file({}), { "/page": file({}) }, "page", null])("are a list: %o", (files) => {
    const wrong = files as unknown as ReadonlyArray<HostedFile>
    expect(() => assertFiles(wrong, () => false)).toThrow("files: expected a list of files, [...(await embedFiles())]")
  })

  it("take the place of nothing that the service answers itself", () => {
    expect(() => check(file({ path: "/v1/lookup" }))).toThrow("files, /v1/lookup: the service answers there itself")
  })

  it("stand once, whatever host they are for: the hosts may be one", () => {
    expect(() => check(file({ host: "gateway" }), file({ host: "platform" }))).toThrow(
      "files, /page: expected each path once"
    )
    check(file({ path: "/a" }), file({ path: "/A" }))
  })

  it("say what they are", () => {
    for (const contentType of ["text/css", "image/svg+xml", "text/javascript;charset=utf-8"])
      check(file({ contentType }))
    for (const contentType of ["", "html", "text/html; charset", "text/html\r\nx: y"]) {
      expect(() => check(file({ contentType }))).toThrow("files, /page: expected a contentType")
    }
  })

  it("are for a host that there is, or for both", () => {
    check(file({ host: "gateway" }))
    for (const host of ["gatway", "both", ""]) {
      const wrong = { ...file({}), host } as unknown as HostedFile
      expect(() => check(wrong)).toThrow("files, /page: expected the host gateway or platform, or none for both")
    }
  })

  it("have a content", () => {
    check(file({ content: new Uint8Array(0) }))
    for (const content of [undefined, null, 1, ["x"]]) {
      const wrong = { ...file({}), content } as unknown as HostedFile
      expect(() => check(wrong)).toThrow("files, /page: expected a content: a text, or bytes in a Uint8Array")
    }
  })

  it("may have headers of their own", () => {
    check(
      file({ headers: { "content-security-policy": "default-src 'none'", "cache-control": "no-store", "x-a": "b" } })
    )
  })

  it.each([
    "Cache-Control",
    "content-length",
    "set-cookie",
    "trailer",
    "access-control-allow-origin",
    "x-request-id",
    "a b",
    ""
  ])("have no header that is the service's, or none at all: %j", (name) =>
    expect(() => check(file({ headers: { [name]: "1" } }))).toThrow("expected a name in lower case")
  )

  it.each(["", " a", "a\r\nset-cookie: b", "é"])("have no header of anything but printable ASCII: %j", (value) =>
    expect(() => check(file({ headers: { "x-a": value } }))).toThrow("files, /page: headers, x-a: expected printable")
  )
})
