/** A gateway on a store, with a client: shared by the tests of the suite. */

import { tokenLength } from "@postcode/gateway/accounts/Account"
import { linkLifetime_ms } from "@postcode/gateway/accounts/links/AccountLink"
import { AccountLinks } from "@postcode/gateway/accounts/links/AccountLinks"
import { Passwords } from "@postcode/gateway/accounts/Passwords"
import type { PasskeyCeremonies } from "@postcode/gateway/accounts/passkeys/PasskeyCeremonies"
import { SignUpSettings } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import { defaultNoticeLimits, NoticeLimits } from "@postcode/gateway/notices/Notice"
import type { NoticeSecrets } from "@postcode/gateway/notices/NoticeSecrets"
import { Secrets } from "@postcode/gateway/store/Secrets"
import type { WebhookSecrets } from "@postcode/gateway/webhooks/WebhookSecrets"
import type { ProofKeys } from "@postcode/gateway/widget/endUsers/ProofKeys"
import type { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import { type Gateway, type GatewayOptions, type GatewayPorts, makeGateway, serve } from "@postcode/http"
import { layerNodePasswords, layerNodeSecrets, layerSessionTokens } from "@postcode/node/secrets"
import { Effect, Exit, Layer, ManagedRuntime, Redacted, Scope } from "effect"
import { afterAll, beforeAll, beforeEach, onTestFinished } from "vitest"
import { signingKeys } from "../devices/index.ts"
import { inOneDay } from "../fixtures/InOneDay.ts"
import { type Fixture, makeFixture } from "./FixtureDirectory.ts"
import { hostedFiles } from "./HostedFiles.ts"
import { type MakeLink, Operator, signUpPassword } from "./Operator.ts"
import { operatorToken } from "./OperatorToken.ts"
import { TestClient } from "./TestClient.ts"

/** Hashes passwords like the service, but with little memory, so that tests are fast. */
const layerFastPasswords = layerNodePasswords({ memory_kib: 8 })

/** A store under test, given the data of its directory. */
export type MakePorts = (
  fixture: Fixture
) => Layer.Layer<
  Exclude<
    GatewayPorts,
    NoticeSecrets | PasskeyCeremonies | Passwords | ProofKeys | Secrets | SessionTokens | WebhookSecrets
  >,
  unknown
>

/** A gateway that listens. */
export interface Served {
  readonly gateway: Gateway
  readonly client: TestClient
  readonly operator: Operator
  /** Stops as on SIGTERM. Resolves when no request is in flight. */
  readonly stop: () => Promise<void>
}

/** Replaces services of the gateway by those of a test. */
export type Provide = <A, E>(effect: Effect.Effect<A, E, GatewayPorts>) => Effect.Effect<A, E, GatewayPorts>

/** The gateway under test and its stores. */
export interface World extends Served {
  readonly fixture: Fixture
  readonly ports: Layer.Layer<GatewayPorts, unknown>
  /** Starts another gateway on the same stores, for one test. */
  readonly serveAnother: (options?: Partial<GatewayOptions>, provide?: Provide) => Promise<Served>
  /** Runs an effect on the same stores. */
  readonly run: <A>(effect: Effect.Effect<A, unknown, GatewayPorts>) => Promise<A>
}

/**
 * Starts a gateway before the tests of a group and stops it after them. Each test has a new client address, so that
 * tests share no rate limit, and waits for midnight UTC if it is near, so that no day ends during a test.
 */
export const useWorld = (makePorts: MakePorts): World => {
  let started: (World & { readonly dispose: () => Promise<void> }) | undefined
  const world = (): World => {
    if (started === undefined) throw new Error("the gateway is there only while the tests run")
    return started
  }
  beforeAll(async () => {
    started = await start(makePorts)
  })
  beforeEach(async () => {
    await Effect.runPromise(inOneDay)
    world().client.newVisitor()
  })
  afterAll(async () => {
    await started?.dispose()
    started = undefined
  })
  return {
    get client() {
      return world().client
    },
    get fixture() {
      return world().fixture
    },
    get gateway() {
      return world().gateway
    },
    get operator() {
      return world().operator
    },
    get ports() {
      return world().ports
    },
    run: (effect) => world().run(effect),
    serveAnother: (options, provide) => world().serveAnother(options, provide),
    stop: () => world().stop()
  }
}

/** The pepper of all worlds. */
export const testPepper = { version: 1, secret: Redacted.make("a-pepper-for-tests-and-nothing-else") }

const start = async (makePorts: MakePorts): Promise<World & { readonly dispose: () => Promise<void> }> => {
  const fixture = makeFixture()
  const withMail = Layer.succeed(NoticeLimits, { ...defaultNoticeLimits, isOn: true })
  const layer = Layer.mergeAll(
    Layer.provide(makePorts(fixture), withMail),
    Layer.succeed(SignUpSettings, { mode: "open", domains: [], isMailPrinted: false }),
    layerNodeSecrets(testPepper),
    layerSessionTokens(signingKeys),
    layerFastPasswords
  )
  const runtime = ManagedRuntime.make(layer)
  const ports = Layer.effectContext(runtime.contextEffect)
  const nextAddress = addresses()
  const main = await open(runtime, nextAddress, {}, (effect) => effect)
  return {
    ...main,
    fixture,
    ports,
    run: (effect) => runtime.runPromise(effect),
    serveAnother: async (options = {}, provide = (effect) => effect) => {
      const another = await open(runtime, nextAddress, options, provide)
      onTestFinished(another.stop)
      return another
    },
    dispose: async () => {
      await main.stop()
      await runtime.dispose()
    }
  }
}

const open = async (
  runtime: ManagedRuntime.ManagedRuntime<GatewayPorts, unknown>,
  nextAddress: () => string,
  options: Partial<GatewayOptions>,
  provide: Provide
): Promise<Served> => {
  const scope = Scope.makeUnsafe()
  const opened = Effect.gen(function* () {
    const settings: GatewayOptions = {
      operatorToken: Redacted.make(operatorToken),
      trustedProxies: ["127.0.0.1"],
      files: hostedFiles,
      ...options
    }
    const gateway = yield* makeGateway(settings)
    const listening = serve(gateway, { port: 0, host: "127.0.0.1", drain_ms: 0 })
    return { gateway, ...(yield* Effect.provideService(listening, Scope.Scope, scope)) }
  })
  const { gateway, port } = await runtime.runPromise(provide(opened))
  const client = new TestClient(port, nextAddress)
  return {
    gateway,
    client,
    operator: new Operator(client, operatorToken, nextAddress, (...of) => runtime.runPromise(storeLink(...of))),
    stop: async () => {
      client.close()
      await runtime.runPromise(Scope.close(scope, Exit.void))
    }
  }
}

/** As if the link had been sent by mail. */
const storeLink = Effect.fnUntraced(function* (...[kind, email, account_id]: Parameters<MakeLink>) {
  const secrets = yield* Secrets
  const token = Redacted.make(secrets.random(tokenLength))
  const password = yield* (yield* Passwords).hash(Redacted.make(signUpPassword))
  const now_ms = Date.now()
  yield* (yield* AccountLinks).add(secrets.hash(token), {
    kind,
    email,
    ...(account_id === undefined ? { password } : { account_id }),
    created_at: new Date(now_ms).toISOString(),
    expires_at: new Date(now_ms + linkLifetime_ms[kind]).toISOString(),
    is_void: false
  })
  return Redacted.value(token)
})

/** Addresses of the range for benchmarks, 198.18.0.0/15, each once. */
const addresses = (): (() => string) => {
  let count = 0
  return () => {
    count++
    return `198.${18 + ((count >> 16) & 1)}.${(count >> 8) & 255}.${count & 255}`
  }
}
