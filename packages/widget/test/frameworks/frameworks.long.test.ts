/** The shopper in checkouts of frameworks, in which the picker and the fields that it fills are bound to a state. */
import { describe, expect, it } from "vitest"
import { describeShopper, fill } from "../picker/describeShopper.ts"
import { change, combobox, eventually, heard, usePickers, valueIn } from "../picker/PickerPage.ts"
import type { TestSite } from "../picker/TestSite.ts"
import { bundleApp, type Framework, frameworks } from "./bundleApp.ts"

const pickers = usePickers()
const { open, service, site } = pickers

const bundles = new Map<Framework, Promise<string>>()
const appOf = (framework: Framework): Promise<string> => {
  const known = bundles.get(framework) ?? bundleApp(framework)
  bundles.set(framework, known)
  return known
}

/** Alpine reads its markup in the page. */
const alpine = `<form x-data="{ code: '', picked: [], filled: { street: '', lga: '', state: '' } }">
  <postcode-picker :gateway="$root.parentElement.dataset.gateway" :platform="$root.parentElement.dataset.platform"
    :publishable-key="$root.parentElement.dataset.key" :fill="$root.parentElement.dataset.fill" name="postcode"
    x-model="code" @postcode-select="picked.push($event.detail.formatted)"></postcode-picker>
  <template x-for="id in Object.keys(filled)"><input :id="id" x-model="filled[id]"></template>
  <output id="model" x-text="code"></output><output id="picked" x-text="picked.join(' ')"></output></form>`

const use = async (site: TestSite, framework: Framework) => {
  const { gateway, platform } = site.service
  const data = Object.entries({ fill, gateway, key: site.key.secret, platform })
  const attributes = data.map(([name, value]) => `data-${name}="${value}"`).join(" ")
  site.app = await appOf(framework)
  site.body = `<div id="app" ${attributes}>${framework === "Alpine 3" ? alpine : ""}</div>`
}

describe.for(frameworks)("in a checkout of %s", (framework) => {
  it("the state follows what is typed, chosen, changed and removed, and the confirmation stays", async () => {
    await use(site(), framework)
    const page = await open()
    const model = () => page.locator("#model").textContent()
    const [first, second] = service().postcodes
    for (const code of [first, second]) {
      await combobox(page).fill(code)
      await page.keyboard.press("Enter")
      await eventually(model).toBe(code)
      await eventually(async () => (await heard(page)).at(-1)).toMatchObject({ formatted: code })
      await eventually(() => page.locator("[part=place]").textContent()).toMatch(/, /)
      await change(page)
    }
    await combobox(page).pressSequentially("x")
    await eventually(model).toBe("")
    expect(await combobox(page).inputValue()).toBe("x")
    expect(await page.locator("#picked").textContent()).toBe(`${first} ${second}`)
  })
})

for (const framework of ["React 18", "React 19", "Vue 3", "Svelte 5"] as const) {
  describeShopper(pickers, {
    name: `in a checkout of ${framework}`,
    build: (site) => use(site, framework),
    check: async (page) => {
      const value = await valueIn(page)
      await eventually(() => page.locator("#model").textContent()).toBe(value)
      expect(await page.locator("#picked").textContent()).toBe(value)
    }
  })
}
