import { describe, expect, it } from "vitest"
import { attributionOf } from "../../src/map/attributionOf.ts"

describe("the attribution of a source", () => {
  const cases: ReadonlyArray<readonly [html: string, found: ReadonlyArray<readonly [text: string, href: string]>]> = [
    ["", []],
    ["   ", []],
    ["© The surveyor", [["© The surveyor", ""]]],
    [
      '<a href="https://osm.example/copyright" target="_blank">&copy; OpenStreetMap</a> contributors',
      [
        ["© OpenStreetMap", "https://osm.example/copyright"],
        [" contributors", ""]
      ]
    ],
    ["<A HREF='http://a.example/?a=1&amp;b=2'>a</A>", [["a", "http://a.example/?a=1&b=2"]]],
    ['<a href="javascript:alert(1)">a</a>', [["a", ""]]],
    ['<a href=" javascript:alert(1)">a</a>', [["a", ""]]],
    ['<a href="data:text/html,x">a</a>', [["a", ""]]],
    ["<a>a</a>", [["a", ""]]],
    ["<img src=x onerror=alert(1)>b", [["b", ""]]],
    ["<script>alert(1)</script>", [["alert(1)", ""]]],
    ["&#169; &#xA9; &unknown; &lt;b&gt;", [["© © &unknown; <b>", ""]]],
    ["&#9999999; &#xffffff;", [["&#9999999; &#xffffff;", ""]]],
    ["<a href='https://a.example'>unclosed", [["unclosed", ""]]]
  ]
  it.each(cases)("%s", (html, found) => {
    expect(attributionOf(html).map(({ href, text }) => [text, href])).toEqual(found)
  })

  it("takes no longer for a long text that is made to be slow", () => {
    expect(attributionOf("<a ".repeat(20_000)).length).toBeLessThan(2)
    expect(attributionOf("<".repeat(100_000)).length).toBeLessThan(2)
  })
})
