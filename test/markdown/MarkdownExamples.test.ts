// The examples of the documentation are only as good as what compares their answers.
import { describe, expect, it } from "vitest"
import { examplesIn, generalized, isAnsweredBy, withAnswers } from "./MarkdownExamples.ts"

const markdown = `# Title

\`\`\`sh
curl one
\`\`\`

\`\`\`json
{ "data": 1 }
\`\`\`

\`\`\`ts
console.log(2)
\`\`\`

Words in between.

\`\`\`text
2
\`\`\`

\`\`\`sh
curl three
\`\`\`

\`\`\`csv
a,b
\`\`\`
`

describe("examples in Markdown", () => {
  it("are shell and TypeScript blocks, each with the answer that follows it", () => {
    expect(examplesIn(markdown)).toEqual([
      { language: "sh", code: "curl one", line: 3, answer: { language: "json", text: `{ "data": 1 }` } },
      { language: "ts", code: "console.log(2)", line: 11, answer: { language: "text", text: "2" } },
      { language: "sh", code: "curl three", line: 21, answer: undefined }
    ])
  })

  it("get a new answer in place of the old one, without any other change", () => {
    const [first, second] = examplesIn(markdown)
    const outputs = new Map([
      [first!, `{"data":{"id":"org_abc","list":[1,2]}}`],
      [second!, "3\n4\n"]
    ])
    expect(withAnswers(markdown, outputs)).toBe(
      markdown
        .replace(`{ "data": 1 }`, `{ "data": { "id": "org_…", "list": [1, 2] } }`)
        .replace("```text\n2\n", "```text\n3\n4\n")
    )
  })
})

it("an answer stands in the section of its example", () => {
  expect(examplesIn("```sh\ncurl one\n```\n\n## Apart\n\n```text\n1\n```\n")).toEqual([
    { language: "sh", code: "curl one", line: 1, answer: undefined }
  ])
})

describe("a JSON answer", () => {
  const answer = { language: "json", text: `{ "a": [1, { "b": "key_…" }], "c": null }` } as const

  it("is compared as a value, and … matches any text", () => {
    expect(isAnsweredBy(answer, `{"c":null,"a":[1,{"b":"key_1"}]}`)).toBe(true)
  })

  it.for([
    ["another value", `{"a":[2,{"b":"key_1"}],"c":null}`],
    ["another text", `{"a":[1,{"b":"org_1"}],"c":null}`],
    ["a field more", `{"a":[1,{"b":"key_1"}],"c":null,"d":1}`],
    ["a field less", `{"a":[1,{"b":"key_1"}]}`],
    ["an item more", `{"a":[1,{"b":"key_1"},2],"c":null}`],
    ["an object for a list", `{"a":{"0":1,"1":{"b":"key_1"}},"c":null}`],
    ["an object for null", `{"a":[1,{"b":"key_1"}],"c":{}}`]
  ])("is not answered by %s", ([, output]) => {
    expect(isAnsweredBy(answer, output as string)).toBe(false)
  })
})

describe("an HTTP answer", () => {
  const answer = { language: "http", text: "HTTP/1.1 200 OK\nx-lookup-level: 4\netag: …" } as const

  it("contains the shown lines", () => {
    expect(isAnsweredBy(answer, `HTTP/1.1 200 OK\r\netag: "x"\r\nvary: y\r\nx-lookup-level: 4\r\n\r\n`)).toBe(true)
  })

  it("is not matched if one of them is missing or different", () => {
    expect(isAnsweredBy(answer, `HTTP/1.1 200 OK\r\netag: "x"\r\n\r\n`)).toBe(false)
    expect(isAnsweredBy(answer, `HTTP/1.1 200 OK\r\netag: "x"\r\nx-lookup-level: 40\r\n\r\n`)).toBe(false)
  })
})

it("a text answer is compared whole", () => {
  expect(isAnsweredBy({ language: "text", text: "a (b) …\nc" }, "a (b) 7\nc\n")).toBe(true)
  expect(isAnsweredBy({ language: "text", text: "a (b) …\nc" }, "a b 7\nc\n")).toBe(false)
  expect(isAnsweredBy({ language: "text", text: "a" }, "a\nb\n")).toBe(false)
})

it("values that differ from run to run are written as …", () => {
  const output = `{"id":"org_aB3","prefix":"svc_pk_AbCd","at":"2026-11-21T08:00:00.000Z","next_cursor":"x1","units":[{"lat":6.5}]}`
  expect(generalized(output)).toBe(
    `{"id":"org_…","prefix":"svc_pk_…","at":"…","next_cursor":"…","units":[{"lat":6.5}]}`
  )
})
