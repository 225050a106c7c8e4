/** Many pickers, one after the other. */
import { expect, it } from "vitest"
import { eventually, settled, usePickers } from "./PickerPage.ts"

const { open, service } = usePickers()

it("a picker that is attached and removed 1,000 times leaves no node, listener or memory, and sends no request", async () => {
  const page = await open()
  await page.clock.install()
  const session = await page.context().newCDPSession(page)
  const counters = async () => {
    await session.send("HeapProfiler.collectGarbage")
    const { jsEventListeners, nodes } = await session.send("Memory.getDOMCounters")
    const { usedSize } = await session.send("Runtime.getHeapUsage")
    return { jsEventListeners, nodes, usedSize }
  }
  const attach = (times: number) =>
    page.evaluate(async (times) => {
      const origin = document.querySelector("postcode-picker")?.gateway ?? ""
      for (let time = 0; time < times; time++) {
        const picker = document.createElement("postcode-picker")
        Object.assign(picker, { gateway: origin, lang: time % 2 ? "fr" : "en", required: true })
        document.body.append(picker)
        const input = picker.shadowRoot?.querySelector<HTMLInputElement>("[role=combobox]")
        if (input) input.value = "la"
        input?.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }))
        picker.remove()
        if (time % 100 === 0) await new Promise((resolve) => setTimeout(resolve))
      }
    }, times)
  await attach(50)
  const before = await counters()
  await attach(1_000)
  await page.clock.runFor(300)
  await settled(page)
  expect(service().answers).toEqual([])
  // Browsers may take a while to let go of what nobody holds any more.
  const left = async () => {
    const after = await counters()
    const nodes = after.nodes - before.nodes
    const listeners = after.jsEventListeners - before.jsEventListeners
    const bytes = after.usedSize - before.usedSize
    return nodes < 100 && listeners < 20 && bytes < 200_000 ? "nothing" : { nodes, listeners, bytes }
  }
  await eventually(left).toBe("nothing")
})
