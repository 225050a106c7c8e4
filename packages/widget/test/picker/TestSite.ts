/** A page under a strict policy, and the service behind it; each of them on an origin of its own. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { makePickerAssets } from "../../bundle.ts"
import { axe } from "../Axe.ts"
import { listen } from "../Listening.ts"
import type { TestKey } from "../service/Management.ts"
import { openTestService, type TestService } from "../service/TestService.ts"

/** Somebody who has bookmarks, `Home` and one with a long name. Either identifier leads to them. */
export const knownIdentifier = "ada@example.com"
export const knownNin = "84213579604"

export interface TestSite {
  readonly origin: string
  readonly service: TestService
  /** That of the picker: for the page's origin alone, with credits. Each reset makes another one. */
  key: TestKey
  /** What the page's body holds, from the next load on. */
  body: string
  /** What its policy allows in addition, from the next load on. */
  policy: string
  /** A module script that brings the picker in the place of its own script, from the next load on; or none. */
  app: string
  /** As at the beginning: the service is there, and whatever was asked before was asked more than a minute ago. */
  readonly reset: () => Promise<void>
  readonly close: () => Promise<void>
}

export const openTestSite = async (): Promise<TestSite> => {
  const service = await openTestService()
  made ??= makePickerAssets()
  const scripts = new Map((await made).map(({ content, name }) => [`/${name}`, content]))
  const page = await listen((req, res) => answerPage(site, scripts.set("/axe.js", axe), req, res))
  service.page = page.url
  const [home, other] = service.postcodes
  await service.saveEndUser(
    [knownIdentifier, knownNin],
    [
      { postcode: home, label: "Home" },
      { postcode: other, label: "Grandmother’s house behind the market" }
    ]
  )
  const site: TestSite = {
    origin: page.url,
    service,
    key: await service.newKey({ origins: [page.url] }),
    body: "",
    policy: "",
    app: "",
    reset: async () => {
      service.unavailable.clear()
      service.meanwhile = () => undefined
      service.pass_s(61)
      site.key = await service.newKey({ origins: [page.url] })
      site.body = pickerHtml(site)
      site.policy = ""
      site.app = ""
      service.answers.length = 0
    },
    close: async () => {
      await Promise.all([page.close(), service.close()])
    }
  }
  await site.reset()
  return site
}

/** They are the same for all sites of a process. */
let made: ReturnType<typeof makePickerAssets> | undefined

/**
 * A picker with these attributes beside those of every test.
 *
 * @param key by default that of the site; without one there are no saved postcodes
 */
export const pickerHtml = (site: TestSite, attributes = "", key: TestKey | "none" = site.key): string => {
  const { gateway, platform } = site.service
  const identified = key === "none" ? "" : `saved publishable-key="${key.secret}" platform="${platform}"`
  return `<postcode-picker gateway="${gateway}" ${identified} ${attributes}></postcode-picker>`
}

const policy = ({ app, policy, service }: TestSite): string =>
  `default-src 'none'; connect-src ${service.gateway} ${service.platform}; ${policy}; ` +
  // Frameworks make nodes and functions from texts.
  (app === ""
    ? `script-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`
    : `script-src 'self' 'unsafe-eval'; style-src 'unsafe-inline'`)

const answerPage = (
  site: TestSite,
  scripts: ReadonlyMap<string, string>,
  req: IncomingMessage,
  res: ServerResponse
): void => {
  const { pathname } = new URL(req.url ?? "/", site.origin)
  res.setHeader("content-security-policy", policy(site))
  if (pathname === "/" || pathname === "/with-axe") {
    const script = pathname === "/" ? "" : `<script src="/axe.js"></script>`
    const picker = site.app === "" ? "/postcode-picker.js" : "/app.js"
    res.setHeader("content-type", "text/html; charset=utf-8")
    res.end(`<!doctype html><html lang="en"><head><title>Picker</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
${script}<script type="module" src="${picker}"></script></head>
<body><main><h1>Delivery</h1>${site.body}</main></body></html>`)
    return
  }
  const script = pathname === "/app.js" ? site.app : scripts.get(pathname)
  res.setHeader("content-type", "text/javascript; charset=utf-8")
  res.statusCode = script === undefined ? 404 : 200
  res.end(script)
}
