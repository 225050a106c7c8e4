/**
 * The mail of a notice, as plain text and as HTML from one template. It has no pictures, nothing that reports back, and
 * no text that a person wrote, except the name of an organization, see `mentionable`.
 */

import { type Letter, letterOf, type NoticeContext } from "./letters.ts"
import type { Mail } from "./MailTransport.ts"
import type { StoredNotice } from "./Notice.ts"
import { unsubscribePath } from "./unsubscribe.ts"

/** What a mail is composed of. */
export interface Composition extends NoticeContext {
  readonly notice: StoredNotice
  readonly public_url: string
  readonly support_contact: string | undefined
  /** Undefined if the kind cannot be switched off. */
  readonly unsubscribe_token: string | undefined
}

/** Composes the mail of a notice. */
export const composeMail = (composition: Composition): Mail => {
  const { notice, public_url, support_contact, unsubscribe_token } = composition
  const letter = letterOf(notice, composition)
  const footer = footerOf(composition)
  return {
    id: notice.id,
    to: notice.email,
    // A web page as the contact is only named in the footer.
    reply_to: support_contact?.includes("://") ? undefined : support_contact,
    subject: letter.subject,
    text: textOf(letter, footer),
    html: htmlOf(letter, footer),
    unsubscribe_url:
      unsubscribe_token === undefined ? undefined : `${public_url}${unsubscribePath}?token=${unsubscribe_token}`
  }
}

/** A line of the footer: text, or a link with a label. */
type Line = string | { readonly label: string; readonly url: string }

const footerOf = ({
  notice: { kind },
  public_url,
  support_contact,
  unsubscribe_token
}: Composition): ReadonlyArray<Line> => [
  `Sent by the Postcode Gateway at ${public_url.replace(/^https?:\/\//, "")}.`,
  ...(support_contact === undefined ? [] : [`Questions: ${support_contact}`]),
  ...(unsubscribe_token === undefined
    ? []
    : [
        {
          label: `Stop mail of this kind (${kind.replaceAll("_", " ")})`,
          url: `${public_url}/console/#unsubscribe=${unsubscribe_token}`
        }
      ])
]

const textOf = ({ action, paragraphs }: Letter, footer: ReadonlyArray<Line>): string => {
  const lines = footer.map((line) => (typeof line === "string" ? line : `${line.label}: ${line.url}`))
  const link = action === undefined ? [] : [`${action.label}:\n${action.url}`]
  return `${[...paragraphs.slice(0, 1), ...link, ...paragraphs.slice(1), `-- \n${lines.join("\n")}`].join("\n\n")}\n`
}

/** Colours come from the reader's program, so that the mail is readable on dark and light. */
const htmlOf = ({ action, paragraphs, subject }: Letter, footer: ReadonlyArray<Line>): string => {
  const [first = "", ...rest] = paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`)
  const link = action === undefined ? [] : [`<p>${anchor(action)}</p>`]
  const lines = footer.map((line) => (typeof line === "string" ? escapeHtml(line) : anchor(line)))
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title></head>`,
    '<body style="font-family:sans-serif;font-size:16px;line-height:1.5;max-width:36em;margin:1em auto;padding:0 1em">',
    first,
    ...link,
    ...rest,
    `<hr><p style="font-size:13px">${lines.join("<br>")}</p>`,
    "</body></html>",
    ""
  ].join("\n")
}

const anchor = ({ label, url }: { readonly label: string; readonly url: string }): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`

/** Escapes a text for HTML, also within double quotes. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
