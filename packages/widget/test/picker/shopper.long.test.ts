/** The shopper in a plain page, and in pages of the kind that shops have. */
import type { Page } from "playwright-core"
import { checkoutHtml, describeShopper } from "./describeShopper.ts"
import { usePickers } from "./PickerPage.ts"

const pickers = usePickers()

const style = (page: Page, css: string) =>
  page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, css)

describeShopper(pickers, { name: "in a plain page" })

describeShopper(pickers, {
  name: "in a page that writes the value back at each input",
  prepare: (page) =>
    page.evaluate(() => {
      const picker = document.querySelector("postcode-picker")
      let state = ""
      const echo = () => {
        if (picker) state = picker.value
        // A page that renders at any event, also while the names of a selection are awaited.
        for (const value of [state, state]) if (picker) picker.value = value
      }
      for (const name of ["input", "change", "keyup", "focusout"]) picker?.addEventListener(name, echo)
      setInterval(echo, 50)
    })
})

describeShopper(pickers, {
  name: "in a modal dialog",
  build: (site) => {
    site.body = `<dialog>${checkoutHtml(site)}</dialog>`
  },
  prepare: (page) => page.evaluate(() => document.querySelector("dialog")?.showModal())
})

describeShopper(pickers, {
  name: "in a card that hides what overflows, with a fixed bar",
  build: (site) => {
    site.body = `<div id="card">${checkoutHtml(site)}</div><div id="bar">Buy</div>`
  },
  prepare: (page) =>
    style(
      page,
      `#card { overflow: hidden; block-size: 320px; transform: translateX(2px) }
      #bar { position: fixed; inset: auto 0 0; z-index: 9999; block-size: 60px; background: #ddd }`
    )
})

describeShopper(pickers, {
  name: "with a root font of 62.5 %",
  prepare: (page) => style(page, "html { font-size: 62.5% } body { font-size: 1.6rem }")
})
