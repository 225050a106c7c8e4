/** Texts in bodies of the management API, which people compare by eye: none may be invisible or reorder others. */
import { describe, expect, it } from "vitest"
import type { World } from "../../world/World.ts"
import { type Endpoint, endpoints, type ObjectPath } from "../Contract.ts"
import { expectFailure } from "../Received.ts"
import { makeScene, preparePerson, sampleMessage } from "../Samples.ts"

export const visibleTexts = (world: World): void => {
  describe("a text that hides or reorders characters, or shows none, is 400 in each text field of", () => {
    for (const endpoint of endpoints.filter(({ hasBody, path }) => hasBody && path.startsWith("/v1/admin/"))) {
      it(endpoint.operation, () => refusesHiddenTexts(world, endpoint))
    }
  })
}

const refusesHiddenTexts = async (world: World, { operation }: Endpoint): Promise<void> => {
  const scene = await makeScene(world.operator, operation)
  const sample = sampleMessage(operation, {
    ...scene,
    ...(await preparePerson(world.operator, operation, scene.person))
  })
  const body: unknown = JSON.parse(String(sample.body))
  for (const field of textsIn(body, [])) {
    if (exempt.test([operation, ...field].join("."))) continue
    for (const text of ["Bank\u202elif", "\u200b"]) {
      const received = await world.client.send({ ...sample, body: JSON.stringify(withText(body, field, text)) })
      expectFailure(received, "400 invalid_parameter")
      expect(received.text).not.toMatch(/[\u202e\u200b]/)
    }
  }
}

/** Passwords and answers of devices, which nobody sees; changes of units, whose dry run is 200 and lists their faults. */
const exempt = /\.(?:present_)?password$|\.credential\.|^management\.changeDirectory\.changes\./

const textsIn = (value: unknown, path: ObjectPath): ReadonlyArray<ObjectPath> => {
  if (typeof value === "string") return [path]
  if (Array.isArray(value)) return value.flatMap((item, i) => textsIn(item, [...path, i]))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => textsIn(field, [...path, name]))
}

const withText = (value: unknown, [step, ...rest]: ObjectPath, text: string): unknown => {
  if (step === undefined) return text
  if (Array.isArray(value)) return value.map((item: unknown, i) => (i === step ? withText(item, rest, text) : item))
  const fields = value as Readonly<Record<string, unknown>>
  return { ...fields, [step]: withText(fields[step], rest, text) }
}
