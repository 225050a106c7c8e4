/** What becomes of Markdown: which files are pages, in which order, and where their links lead. */
import { describe, expect, it } from "vitest"
import { readContents } from "../src/contents.ts"
import { type Page, readPages } from "../src/pages.ts"
import { withPictures } from "../src/pictures.ts"
import { makeFolder } from "./Folder.ts"

const table = (...rows: ReadonlyArray<string>) => ["| Page | Read it to |", "|---|---|", ...rows, ""].join("\n")

const files = {
  LICENSE: "…",
  "README.md": "# Gateway\n",
  "site/front.md": "# Front\n",
  "docs/README.md": `# All\n\n## Start\n\n${table("| [Start](../README.md) | begin |")}\n## More\n\n${table(
    "| [A](a.md) | know `a` |",
    "| [Why](why/README.md) | ask |"
  )}\nSee also [A](a.md).\n`,
  "docs/a.md": "# What *a* is\n\nText.\n",
  "docs/why/README.md":
    "# Why\n\nSee [A](../a.md).\n\n- [A again](../a.md)\n- [One](one.md): the `first`\n\n## Later\n\n- [Two](two.md)\n",
  "docs/why/one.md": "# One\n",
  "docs/why/two.md": "# Two\n"
}

const pageOf = async (changed: Readonly<Record<string, string>>, file: string, source?: string): Promise<Page> => {
  const root = await makeFolder({ ...files, ...changed })
  return readPages({ root, base: "/x/", source, integrity: "sha384-abc" }).find((page) => page.file === file)!
}

const bodyOf = async (body: string, source?: string) =>
  (await pageOf({ "docs/a.md": `# A\n\n${body}\n` }, "docs/a.md", source)).body.trimEnd()

describe("the list of pages", () => {
  it("has the sections of docs/README.md, and below a page those that it lists itself", async () => {
    expect(readContents(await makeFolder(files))).toEqual([
      { title: "Start", entries: [{ file: "README.md", label: "Start", description: "begin", below: [] }] },
      {
        title: "More",
        entries: [
          { file: "docs/a.md", label: "A", description: "know a", below: [] },
          {
            file: "docs/why/README.md",
            label: "Why",
            description: "ask",
            below: [
              { title: "", entries: [{ file: "docs/why/one.md", label: "One", description: "the first", below: [] }] },
              {
                title: "Later",
                entries: [{ file: "docs/why/two.md", label: "Two", description: undefined, below: [] }]
              }
            ]
          }
        ]
      }
    ])
  })

  it("ends the reference with the pages of the packages, if they are generated", async () => {
    const list = `# All\n\n## Reference\n\n${table("| [A](a.md) | know |")}`
    const generated = {
      "site/generated/reference/api/README.md": "# Packages\n\n- [core](core.md): what `core` exports\n",
      "site/generated/reference/api/core.md": "# core\n"
    }
    const root = await makeFolder({ ...files, ...generated, "docs/README.md": list })
    expect(readContents(root)[0]?.entries.map(({ file }) => file)).toEqual(["docs/a.md", Object.keys(generated)[0]])
    const pages = readPages({ root, base: "/x/", source: undefined, integrity: "sha384-abc" })
    expect(pages.slice(-2).map(({ body, id }) => [id, body.trimEnd()])).toEqual([
      ["reference/api", "- [core](/x/reference/api/core/): what `core` exports"],
      ["reference/api/core", ""]
    ])
  })

  it("has a page once, even if a listed page links to it, too", async () => {
    const list = files["docs/README.md"].replace("See also", "- [Two](why/two.md)\n\nSee also")
    const [, more] = readContents(await makeFolder({ ...files, "docs/README.md": list }))
    expect(more?.entries.map(({ file }) => file)).toEqual(["docs/a.md", "docs/why/README.md", "docs/why/two.md"])
    expect(more?.entries[1]?.below.map(({ title }) => title)).toEqual([""])
  })
})

describe("a page", () => {
  it("has its first heading as its title, and its description from the list", async () => {
    expect(await pageOf({}, "docs/a.md")).toEqual({
      file: "docs/a.md",
      id: "a",
      title: "What a is",
      description: "Know a",
      body: "Text.\n"
    })
  })

  it("that has no title is refused", async () => {
    await expect(pageOf({ "docs/a.md": "Text.\n" }, "docs/a.md")).rejects.toThrow(
      "docs/a.md does not begin with a heading of the first level."
    )
  })
})

describe("a link", () => {
  it.for([
    ["[why](why/two.md)", "[why](/x/why/two/)"],
    ["[why](why/two.md#context)", "[why](/x/why/two/#context)"],
    ["[`why`, *all* of it](why)", "[`why`, *all* of it](/x/why/)"],
    ["[start](../README.md) … [front](../site/front.md)", "[start](/x/start/) … [front](/x/)"]
  ])("to a page, or to a folder that has one, leads to its place: %s", async ([written = "", shown]) => {
    expect(await bodyOf(written)).toBe(shown)
  })

  it.for([
    "[here](#text)",
    "[there](https://there.example/a.md)",
    "<https://there.example>",
    "`[a](a.md)`",
    "    [a](a.md)"
  ])("that leads elsewhere, or is none, stays: %s", async (written) => expect(await bodyOf(written)).toBe(written))

  it("to another file of the repository is its path, if the repository's address is not set", async () => {
    expect(await bodyOf("The [licence](../LICENSE).")).toBe("The licence (`LICENSE`).")
  })

  it.for(["https://git.example/postcode/blob/main", "https://git.example/postcode/blob/main/"])(
    "to another file of the repository leads to the configured address: %s",
    async (source) => {
      const address = "https://git.example/postcode/blob/main/LICENSE"
      expect(await bodyOf("The [licence](../LICENSE).", source)).toBe(`The [licence](${address}).`)
    }
  )

  it.for(["b.md", "../../outside.md", "why/b.md#two"])("to a missing file is refused: %s", async (link) => {
    await expect(bodyOf(`[b](${link})`)).rejects.toThrow(`docs/a.md links to ${link}, which is not there.`)
  })

  it("of an unknown kind is refused", async () => {
    await expect(bodyOf("[a][b]\n\n[b]: why/two.md")).rejects.toThrow(
      "This is written in a way that the site does not know: [b]: why/two.md"
    )
  })
})

it("the placeholder for the widget's hash is replaced", async () => {
  const written = '```html\n<script src="a.js" integrity="sha384-…"></script>\n```'
  expect(await bodyOf(written)).toBe(written.replace("sha384-…", "sha384-abc"))
})

it("a picture stays as it is", async () => {
  expect(await bodyOf("See ![the rooms](a.svg) and [A](a.md).")).toBe("See ![the rooms](a.svg) and [A](/x/a/).")
})

describe("a picture with files for several settings", () => {
  const picture = [
    "<picture>",
    '  <source media="(prefers-reduced-motion: reduce) and (prefers-color-scheme: dark)" srcset="still-dark.webp">',
    '  <source media="(prefers-color-scheme: dark)" srcset="dark.webp">',
    '  <img alt="The rooms" src="light.webp" width="480">',
    "</picture>"
  ]

  it("becomes an image for each, and the site shows the one of the chosen color scheme", () => {
    const image = (classes: string, file: string) =>
      `<span class="picture ${classes}" style="max-inline-size: 480px">![The rooms](${file})</span>`
    const images = [
      image("dark still", "still-dark.webp"),
      image("dark moving", "dark.webp"),
      image("light moving", "light.webp")
    ]
    expect(withPictures(["Before.", "", ...picture, "", "After."].join("\n"))).toBe(
      `Before.\n\n${images.join("")}\n\nAfter.`
    )
  })

  it("without an alternative text is refused", () => {
    expect(() => withPictures(picture.join("\n").replace(' alt="The rooms"', ""))).toThrow("This has no alt: <img")
  })
})
