import { searchAddress } from "@postcode/core/AddressSearch"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { ChangedAddresses, LiveDirectory } from "@postcode/core/LiveDirectory"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { expect, it, vi } from "vitest"
import { keepRefreshed } from "../../src/directory/refreshAddresses.ts"

const first = "EK-01-A01-AA-00" as Postcode
const second = "EK-01-A01-AA-01" as Postcode

const directory = () => {
  const builder = new DirectoryBuilder({ addresses: true })
  builder.addPlace({ code: "EK" as PartialPostcode, name: "Ekiti" })
  builder.addPlace({ code: "EK-01" as PartialPostcode, name: "Ado Ekiti" })
  for (const unit of [first, second]) {
    const address = { locality_name: "Ajilosun", recent_address: "Fabian Hotel, Ajilosun, Ado Ekiti" }
    builder.addUnit(unit, { lat: 7.6, lon: 5.2 }, true, address)
  }
  const built = builder.build()
  if (!built.ok) throw new Error("expected each unit once")
  return built.directory
}

it("the index of changed addresses is made again at most every 30 s, with all changes of the meantime", async () => {
  const live = new LiveDirectory(directory())
  const addresses = new ChangedAddresses(live)
  const setAddresses = vi.spyOn(live, "setAddresses")
  const indexed = () => setAddresses.mock.calls.length
  const test = Effect.gen(function* () {
    const refreshing = yield* Effect.forkChild(keepRefreshed(() => addresses))
    const pass = (time_ms: number) => Effect.as(TestClock.adjust(time_ms), undefined)
    yield* pass(1_000)
    expect(indexed()).toBe(0)
    addresses.take(first, "Ajilosun", "7 Zungeru Crescent, Ajilosun")
    yield* pass(1_000)
    expect(indexed()).toBe(1)
    for (let elapsed_s = 1; elapsed_s <= 28; elapsed_s++) {
      addresses.take(second, "Oke Ila", `${elapsed_s} Zikora Close, Oke Ila`)
      yield* pass(1_000)
    }
    expect(indexed()).toBe(1)
    yield* pass(3_000)
    expect([indexed(), searchAddress(live.current, "28 zikora close oke ila").code]).toEqual([2, second])
    yield* pass(100_000)
    expect(indexed()).toBe(2)
    yield* Fiber.interrupt(refreshing)
  })
  await Effect.runPromise(test.pipe(Effect.provide([TestClock.layer(), Logger.layer([])])))
})
