/** What the check of the built pages finds. The site as it is has its own test. */
import { expect, it } from "vitest"
import { makeFolder } from "./Folder.ts"
import { faultsOf } from "./faults.ts"

const faultsIn = async (html: string) => {
  const folder = await makeFolder({
    "a/index.html": html,
    "b/index.html": `<h2 id="two">Two</h2>`,
    "b/c.svg": "<svg/>"
  })
  return faultsOf(folder, "/x/")
}

it.for([
  `<a href="/x/b/">b</a>`,
  `<a href="/x/b/#two">b</a>`,
  `<a href="../b/">b</a>`,
  `<p id="one"><a href="#one">here</a></p>`,
  `<img src="/x/b/c.svg">`,
  `<img src="data:image/svg+xml,x">`,
  `<a href="https://there.example/">there</a>`,
  `<a href="mailto:us@there.example">us</a>`,
  `<code>&lt;a href="nowhere"></code>`,
  `<link rel="canonical" href="https://docs.example/x/a/">`
])("finds no fault in %s", async (html) => expect(await faultsIn(html)).toEqual([]))

it.for([
  [`<a href="/x/d/">d</a>`, "/x/d/ leads nowhere"],
  [`<a href="/x/b/#three">b</a>`, "/x/b/#three leads to no such place of the page"],
  [`<a href="#three">b</a>`, "#three leads to no such place of the page"],
  [`<a href="/b/">b</a>`, "/b/ is not below /x/"],
  [`<img src="d.svg">`, "d.svg leads nowhere"],
  [`<script src="https://there.example/a.js"></script>`, "https://there.example/a.js is loaded from another place"],
  [`<link rel="stylesheet" href="//there.example/a.css">`, "//there.example/a.css is loaded from another place"],
  [`<a href="javascript:alert()">run</a>`, "javascript:alert() is no address for readers"],
  [`<a href="https://">none</a>`, "https:// is no address"]
])("a link that leads nowhere, and what comes from elsewhere: %s", async ([html = "", fault]) =>
  expect(await faultsIn(html)).toEqual([`a/index.html: ${fault}`])
)
