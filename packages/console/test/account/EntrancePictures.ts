/** What is done before the pictures of the screens around sign-up, mail and the login of a computer. */
import { composeMail } from "@postcode/gateway/notices/composeMail"
import type { NoticeKind } from "@postcode/gateway/notices/Notice"
import type { Page } from "playwright-core"
import { type ConsoleSite, password } from "../ConsoleSite.ts"

interface EntrancePicture {
  readonly as?: "operator" | "owner"
  readonly place: string
  readonly act?: (page: Page, scene: { readonly site: ConsoleSite }) => Promise<unknown>
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first().click()
const token = "A".repeat(43)

/** Opens the page of a login with its code. */
const openLogin = async (page: Page, { site }: { readonly site: ConsoleSite }) => {
  const body = new URLSearchParams({ client_id: "postcode-cli", machine: "ada-laptop" })
  const started = await fetch(`${site.origin}/v1/oauth/device_authorization`, { method: "POST", body })
  const { user_code } = (await started.json()) as { readonly user_code: string }
  await page.getByLabel("Code").fill(user_code)
  await press(page, "Continue")
  await page.getByText("It gets a management key").waitFor()
}

export const entrancePictures: Readonly<Record<string, EntrancePicture>> = {
  "sign-up": { place: "/sign-up" },
  "sign-up-sent": {
    place: "/sign-up",
    act: async (page) => {
      await page.getByLabel("Email").fill("amina.bello@kano-parcels.example")
      await page.getByLabel("Password").fill(password)
      await press(page, "Continue")
      await page.getByText("Look into your mailbox").waitFor()
    }
  },
  confirm: { place: `confirm=${token}` },
  "confirm-wrong": {
    place: `confirm=${token}`,
    act: async (page) => {
      await page.getByLabel("Your name").fill("Amina Bello")
      await page.getByLabel("Name of the organization").fill("Kano Parcels")
      await page.getByLabel("Password").fill(password)
      await press(page, "Open the organization")
      await page.getByRole("alert").waitFor()
    }
  },
  forgotten: { place: "/forgotten" },
  reset: { place: `reset=${token}` },
  "confirm-address": { place: `confirm-address=${token}` },
  undo: { place: `undo=${token}` },
  unsubscribe: { place: `unsubscribe=${token}` },
  account: { as: "owner", place: "/account" },
  device: { as: "owner", place: "/device" },
  "device-found": { as: "owner", place: "/device", act: openLogin },
  "device-agreed": {
    as: "owner",
    place: "/device",
    act: async (page, scene) => {
      await openLogin(page, scene)
      await press(page, "Agree")
      await page.getByText("Return to the terminal").waitFor()
    }
  },
  "device-wrong": { as: "owner", place: "/device?code=BCDF-GHJK" },
  "device-operator": { as: "operator", place: "/device" },
  "credits-by-day": { as: "operator", place: "/credits?environment=test" },
  mail: { as: "operator", place: "/mail" },
  letters: {
    place: "/sign-up",
    act: (page, { site }) =>
      openLetter(
        page,
        site,
        [
          '<!doctype html><html lang="en"><meta name="color-scheme" content="light dark"><title>Letters</title>',
          ...letters().map(
            ({ html, subject, text }) =>
              `<h1 style="font-size:16px">${subject}</h1>${html.replace(/^.*<body/s, "<div").replace(/<\/body>.*$/s, "</div>")}` +
              `<pre style="white-space:pre-wrap;overflow-wrap:anywhere">${text.replaceAll("<", "&lt;")}</pre><hr>`
          )
        ].join("\n")
      )
  }
}

/** Shows a page from the address of the service, but without the console's policy, which forbids styles in elements. */
export const openLetter = async (page: Page, { origin }: ConsoleSite, html: string): Promise<void> => {
  await page.route("**/letter", (route) => route.fulfill({ contentType: "text/html", body: html }))
  await page.goto(`${origin}/letter`)
  await page.unrouteAll()
}

/** Every mail. */
export const letters = () =>
  Object.entries(facts).map(([kind, given]) => {
    const at = "2026-11-01T09:30:00.000Z"
    return composeMail({
      notice: {
        id: "ntc_1",
        kind: kind as NoticeKind,
        email: "ada@people.example",
        facts: given,
        status: "pending",
        attempts: 0,
        created_at: at,
        link_expires_at: at
      },
      public_url: "https://postcode.example",
      support_contact: "help@postcode.example",
      organization_name: "Kano Parcels",
      token,
      reviews: 3,
      unsubscribe_token: /^(?:balance|daily|key|webhook|review)_/.test(kind) ? token : undefined
    })
  })

const organization_id = "org_1VlKwaCODjEgDBYHt4zf"
const ofKey = { organization_id, environment: "live", key_id: "key_1VlKwaCODjEgDBYHt4zf" }

const facts: Readonly<Record<NoticeKind, Readonly<Record<string, number | string>>>> = {
  confirm_address: {},
  already_has_account: {},
  invitation: { organization_id, role: "developer" },
  reset_password: {},
  confirm_new_address: {},
  address_changed: {},
  password_changed: { how: "reset" },
  passkey_changed: { change: "added" },
  signed_out_everywhere: {},
  verification_decided: { organization_id, kyb_status: "verified" },
  access_decided: { organization_id, level: 3, status: "approved" },
  balance_low: { organization_id, environment: "live", balance: 480, threshold: 500 },
  balance_used_up: { organization_id, environment: "live", balance: 0 },
  daily_limit_reached: { ...ofKey, daily_credit_limit: 1_000 },
  key_expires: { ...ofKey, expires_at: "2026-11-08T09:30:00.000Z" },
  webhook_disabled: { organization_id, webhook_id: "whk_1VlKwaCODjEgDBYHt4zf" },
  review_waiting: {},
  organization_will_close: { organization_id, closes_at: "2026-11-15T09:30:00.000Z" }
}
