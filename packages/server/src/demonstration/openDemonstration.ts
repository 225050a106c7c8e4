/** The demonstration: organization, keys, end users and a page, if the user serves no data. */

import { countUnits, nowhere, type PageSettings, type TestUser } from "@postcode/demo/page"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { normalizeIdentifier } from "@postcode/gateway/widget/endUsers/EndUserIdentifier"
import type { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import type { HostedFile } from "@postcode/http"
import { Context, Effect, Redacted } from "effect"
import type { OpenedDirectory } from "../directory/openDirectory.ts"
import type { ServiceAddress } from "../GatewayServer.ts"
import type { ServiceSecrets } from "../ServiceSecrets.ts"
import type { OpenedStore } from "../store/OpenedStore.ts"
import { type DemoOrganization, demoManager, makeDemoOrganization } from "./DemoOrganization.ts"
import { expiredToken } from "./ExpiredToken.ts"
import { chosenPort, originsOf } from "./PageAddress.ts"
import { demonstrationMapStyle, pageFiles } from "./PageFiles.ts"
import { makePageKeys } from "./PageKeys.ts"
import { type SampleUnit, sampleUnit } from "./SampleUnit.ts"
import { makeTestUsers, saveTestUsers } from "./TestUsers.ts"
import { unavailableStoreFor } from "./UnavailableStore.ts"

/** The demonstration's parts on the first screen. */
export interface Demonstration {
  /** The origins of the page. */
  readonly origins: PageSettings["origins"]
  /** The configured public origin, if any. */
  readonly publicOrigin: string | undefined
  readonly organization: DemoOrganization
  /** A known end user with bookmarks. */
  readonly person: TestUser
  /** A unit with all attributes. */
  readonly unit: SampleUnit
}

/** The demonstration, and the settings it needs from the service. */
export interface OpenedDemonstration extends Demonstration {
  /** The listening address. A free port is already chosen, since the page's keys name it. */
  readonly at: Pick<ServiceAddress, "host" | "platformPort" | "port">
  /** The store for the demonstration. */
  readonly ports: OpenedStore["ports"]
  /** The files of the page. */
  readonly files: ReadonlyArray<HostedFile>
  /** The style of its own map, for widgets. */
  readonly mapStyle: string
}

/** The inputs of the demonstration. */
export interface DemonstrationInput {
  /** The configured listening address. */
  readonly asked: OpenedDemonstration["at"]
  /** The gateway's public origin, if a proxy is in front of it. */
  readonly gatewayUrl: string | undefined
  readonly secrets: ServiceSecrets
  readonly store: OpenedStore
  /** The service's other files. */
  readonly files: ReadonlyArray<HostedFile>
  /** The attributes of the directory's units. */
  readonly attributesOf: OpenedDirectory["attributesOf"]
}

/** Creates organization, keys and end users in an empty store, and the page. */
export const openDemonstration = ({
  asked,
  attributesOf,
  files,
  gatewayUrl,
  secrets,
  store
}: DemonstrationInput): Effect.Effect<OpenedDemonstration, never, Secrets | SessionTokens> =>
  Effect.gen(function* () {
    const { directory } = store
    const at = yield* choosePorts(asked)
    const { origins, platforms } = originsAt(at, gatewayUrl)
    const organization = yield* makeDemoOrganization
    const people = makeTestUsers(directory, attributesOf)
    yield* saveTestUsers(people, demoManager)
    const { unavailableHash, failing, working } = yield* makePageKeys(organization.id, origins, demoManager)
    const [person] = people
    const unit = sampleUnit(directory, attributesOf, samplePlace)
    const { coordinate: position } = sampleUnit(directory, attributesOf, placeOnMap)
    const settings: PageSettings = {
      origins,
      platform_port: at.platformPort ?? null,
      key: working.secret,
      test_key: testKeyOf(organization),
      unit: exampleOf(unit, attributesOf(directory.find(unit.postcode), unit.postcode).recent_address ?? ""),
      position: { lat: position.lat, lng: position.lon },
      failing_keys: failing,
      expired_token: yield* expiredToken(secrets, yield* sessionOf(person, organization.id, working.id)),
      people,
      has_embed: files.some(({ path }) => path === embedPath),
      has_console: files.some(({ path }) => path === consolePath),
      nowhere
    }
    return {
      origins,
      publicOrigin: gatewayUrl,
      organization,
      person,
      unit,
      at,
      mapStyle: demonstrationMapStyle,
      ports: Context.add(store.ports, ApiKeys, unavailableStoreFor(Context.get(store.ports, ApiKeys), unavailableHash)),
      files: yield* Effect.promise(() => pageFiles(settings, countUnits(directory), platforms))
    }
  }).pipe(
    Effect.provide(store.ports),
    // An empty store refuses none of these calls.
    Effect.orDie
  )

const embedPath = "/v1/widget/embed"
const consolePath = "/console/"

const testKeyOf = ({ keys }: DemoOrganization): string =>
  keys.find(({ environment, kind }) => kind === "secret" && environment === "test")?.secret ?? ""

const exampleOf = ({ coordinate, postcode }: SampleUnit, address: string): PageSettings["unit"] => ({
  code: postcode,
  lat: coordinate.lat.toFixed(5),
  lng: coordinate.lon.toFixed(5),
  address
})

/** Ikeja, where the demonstration is dense. */
const samplePlace = "LA-11"

/** In the middle of Ikeja: 12 Allen Avenue, the example of the page. */
const placeOnMap = "LA-11-B03-QD-10"

const choosePorts = ({ host, platformPort, port }: OpenedDemonstration["at"]) =>
  Effect.gen(function* () {
    return {
      host,
      port: yield* chosenPort(host, port),
      platformPort: platformPort === undefined ? undefined : yield* chosenPort(host, platformPort)
    }
  })

/** The origins of the page and, if separate, of the platform's host under the same name. */
const originsAt = ({ host, platformPort, port }: OpenedDemonstration["at"], publicOrigin: string | undefined) => {
  const isSeparate = platformPort !== undefined
  const origins = originsOf({ host, port, isSeparate, publicOrigin })
  if (!isSeparate) return { origins, platforms: [] }
  const platform = publicOrigin === undefined ? undefined : Object.assign(new URL(publicOrigin), { port: platformPort })
  return { origins, platforms: originsOf({ host, port: platformPort, isSeparate, publicOrigin: platform?.origin }) }
}

const sessionOf = ({ identifiers: [identifier] }: TestUser, organization_id: string, key_id: string) =>
  Effect.gen(function* () {
    const { identifierHashes } = yield* Secrets
    const normalized = yield* Effect.fromResult(normalizeIdentifier(Redacted.make(identifier), "identifier"))
    return {
      key_id,
      organization_id,
      environment: "test",
      identifier_hashes: identifierHashes(normalized),
      origin: undefined
    } as const
  })
