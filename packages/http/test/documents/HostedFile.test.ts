import { describe, expect, it } from "vitest"
import { assertFiles, type HostedFile } from "../../src/documents/HostedFile.ts"

const file = (changes: Partial<HostedFile>): HostedFile => ({
  path: "/page",
  contentType: "text/html; charset=utf-8",
  content: "",
  ...changes
})

const check = (...files: ReadonlyArray<HostedFile>) => assertFiles(files, (path) => path.startsWith("/v1/lookup"))

describe("an operator's files", () => {
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
  ])("may have the path %s", (path) => check(file({ path })))

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
  ])("are refused at a path that no request can have: %j", (path) =>
    expect(() => check(file({}), file({ path }))).toThrow(/^files, 1: expected a path/)
  )

  it.each([Promise.resolve([file({})]), file({}), { "/page": file({}) }, "page", null])("are a list: %o", (files) => {
    const wrong = files as unknown as ReadonlyArray<HostedFile>
    expect(() => assertFiles(wrong, () => false)).toThrow("files: expected a list of files, [...(await embedFiles())]")
  })

  it("are refused at a path of the service", () => {
    expect(() => check(file({ path: "/v1/lookup" }))).toThrow("files, /v1/lookup: the service answers there itself")
  })

  it("are refused at one path twice, even for different hosts", () => {
    expect(() => check(file({ host: "gateway" }), file({ host: "platform" }))).toThrow(
      "files, /page: expected each path once"
    )
    check(file({ path: "/a" }), file({ path: "/A" }))
  })

  it("need a content type", () => {
    for (const contentType of ["text/css", "image/svg+xml", "text/javascript;charset=utf-8"])
      check(file({ contentType }))
    for (const contentType of ["", "html", "text/html; charset", "text/html\r\nx: y"]) {
      expect(() => check(file({ contentType }))).toThrow("files, /page: expected a contentType")
    }
  })

  it("need an existing host, or none for both", () => {
    check(file({ host: "gateway" }))
    for (const host of ["gatway", "both", ""]) {
      const wrong = { ...file({}), host } as unknown as HostedFile
      expect(() => check(wrong)).toThrow("files, /page: expected the host gateway or platform, or none for both")
    }
  })

  it("need a content", () => {
    check(file({ content: new Uint8Array(0) }))
    for (const content of [undefined, null, 1, ["x"]]) {
      const wrong = { ...file({}), content } as unknown as HostedFile
      expect(() => check(wrong)).toThrow(
        "files, /page: expected a content: a text, bytes in a Uint8Array, or a function that returns one"
      )
    }
  })

  it("may have additional headers", () => {
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
  ])("are refused with an invalid header or a header of the service: %j", (name) =>
    expect(() => check(file({ headers: { [name]: "1" } }))).toThrow("expected a name in lower case")
  )

  it.each(["", " a", "a\r\nset-cookie: b", "é"])("are refused with a header that is not printable ASCII: %j", (value) =>
    expect(() => check(file({ headers: { "x-a": value } }))).toThrow("files, /page: headers, x-a: expected printable")
  )
})
