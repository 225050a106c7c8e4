import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { beforeAll, describe, expect, it } from "vitest"
import { type Document, isDocument, renderDocuments } from "../../src/documents/Documents.ts"

let documents: ReadonlyArray<Document> = []

beforeAll(async () => {
  documents = await renderDocuments()
})

const textOf = (path: string): string =>
  Buffer.from(documents.find((document) => document.path === path)!.plain).toString()
const described = () => JSON.parse(textOf("/v1/openapi.json"))

/** Every value under a key, however deep. */
const valuesUnder = (key: string, value: unknown): ReadonlyArray<unknown> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...valuesUnder(key, inner)])

describe("the interface description", () => {
  it("is valid OpenAPI 3.1, by the official schema", async () => {
    const validator = new Validator()
    expect(await validator.validate(described())).toEqual({ valid: true })
    expect(validator.version).toBe("3.1")
  })

  it("has no error and no warning in Redocly's recommended rules", async () => {
    const source = textOf("/v1/openapi.json")
    const config = await createConfig({ extends: ["recommended"] })
    const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
    expect(problems.map(({ message, ruleId, severity }) => `${severity} ${ruleId}: ${message}`)).toEqual([])
  })

  it("has no broken reference", () => {
    const document = described()
    const references = valuesUnder("$ref", document) as ReadonlyArray<string>
    expect(references.length).toBeGreaterThan(100)
    for (const reference of new Set(references)) {
      const [root, ...steps] = reference.split("/")
      expect(root).toBe("#")
      expect(
        steps.reduce((at, step) => at?.[step], document),
        reference
      ).toBeDefined()
    }
  })

  it("names each operation once, and declares each parameter of its path", () => {
    const { paths } = described() as {
      paths: Record<
        string,
        Record<string, { operationId: string; parameters: Array<{ name: string; in: string; required?: boolean }> }>
      >
    }
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, ...operation }))
    )
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { operationId, parameters, path } of operations) {
      const inPath = parameters.filter((parameter) => parameter.in === "path")
      expect(
        inPath.map(({ name }) => `{${name}}`),
        operationId
      ).toEqual(path.match(/\{\w+\}/g) ?? [])
      expect(inPath.every(({ required }) => required === true)).toBe(true)
    }
  })

  it("leaves objects open: fields may be added to answers within version 1", () => {
    expect(valuesUnder("additionalProperties", described())).not.toContain(false)
  })
})

describe("each document", () => {
  it("is the same text with and without compression, and smaller with it", () => {
    expect(documents.map(({ path }) => path)).toEqual(["/v1/openapi.json", "/v1/docs"])
    for (const { gzipped = Buffer.of(), plain } of documents) {
      expect(gunzipSync(gzipped).equals(plain)).toBe(true)
      expect(gzipped.length).toBeLessThan(plain.length / 2)
    }
  })

  it("has the digest of its text, the same in every process", async () => {
    const again = await renderDocuments()
    expect(again.map(({ digest }) => digest)).toEqual(documents.map(({ digest }) => digest))
    expect(new Set(documents.map(({ digest }) => digest)).size).toBe(2)
  })

  it("is recognized as a document", () => {
    expect(documents.every(isDocument)).toBe(true)
    expect(isDocument({ operation: "search.reverse" })).toBe(false)
    expect(isDocument({ _tag: "Answer" })).toBe(false)
  })
})

describe("the page", () => {
  it("may run only the scripts that it contains", () => {
    const page = documents.find(({ path }) => path === "/v1/docs")!
    const policy = page.headers["content-security-policy"]!
    const [, ...scripts] = textOf("/v1/docs").split("<script>")
    expect(policy.match(/'sha256-[^']{44}'/g)).toHaveLength(2)
    const [own = ""] = scripts.at(-1)!.split("</script>")
    expect(policy).toContain(`'sha256-${createHash("sha256").update(own).digest("base64")}'`)
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    expect(page.headers).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer"
    })
  })

  it("links to the other pages of its host, in the product's design", async () => {
    const pages = [
      { path: "/", title: "Demonstration" },
      { path: "/console/", title: "Console" }
    ]
    const [, linked] = await renderDocuments(pages)
    const html = Buffer.from(linked!.plain).toString()
    expect(html).toContain('<a href="/">Demonstration</a><a href="/console/">Console</a>')
    expect(textOf("/v1/docs")).not.toContain('<a href="/console/">')
    for (const page of [html, textOf("/v1/docs")]) {
      expect(page).toContain("--scalar-color-1: var(--text)")
      expect(page).toMatch(/--text: ?light-dark\(/)
      expect(page).toContain('<a href="/v1/openapi.json">OpenAPI</a>')
    }
  })

  it("uses no external fonts, telemetry or proxy", () => {
    const page = textOf("/v1/docs")
    expect(page).toContain('"withDefaultFonts":false')
    expect(page).toContain('"telemetry":false')
    expect(page).toContain('"proxyUrl":""')
  })
})
