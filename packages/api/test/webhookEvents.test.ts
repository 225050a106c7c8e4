/** The examples of events in the documentation are what the contract says. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { blocksIn } from "../../../test/markdown/MarkdownBlocks.ts"
import { webhookEvents } from "../src/webhookEvents.ts"

const page = readFileSync(new URL("../../../docs/webhooks.md", import.meta.url), "utf8")
const examples = blocksIn(page)
  .filter(({ language }) => language === "json")
  .map(({ text }): Readonly<Record<string, unknown>> => JSON.parse(text))

describe("an event", () => {
  it.each(webhookEvents)(
    "$type has a row and one example in docs/webhooks.md, with exactly its fields",
    ({ body, type }) => {
      expect(page).toMatch(new RegExp(`^\\| \`${type}\` +\\| `, "m"))
      const [example, ...more] = examples.filter((one) => one.type === type)
      expect(more).toEqual([])
      expect(Schema.decodeUnknownSync(body)(example, { onExcessProperty: "error" })).toEqual(example)
    }
  )

  // A version is the name that operators give an edition, percent-encoded.
  it.each(webhookEvents)("$type contains the id of its organization, and no text that a person wrote", ({ body }) => {
    const { properties } = Schema.toJsonSchemaDocument(body).schema as {
      readonly properties: { readonly data: { readonly properties: object } }
    }
    const { organization_id, ...fields } = properties.data.properties as Record<string, object>
    expect(organization_id).toMatchObject({ type: "string" })
    const texts = Object.entries(fields).filter(
      ([, field]) => "type" in field && field.type === "string" && !("enum" in field)
    )
    expect(texts.map(([name]) => name).filter((name) => !/_id$|_at$|^date$|^version$/.test(name))).toEqual([])
  })
})
