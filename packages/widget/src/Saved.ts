/**
 * The form that asks for an identifier, to find saved postcodes. Loaded when the user opens it; it imports no other
 * chunk. What is typed goes with its nodes as soon as it is closed.
 */
import type { OpenForm } from "./Form.ts"
import type { Messages } from "./languages/Messages.ts"
import type { Choice } from "./session/Search.ts"
import type { Session } from "./session/Session.ts"
import type { make as makeNode } from "./View.ts"

/** An identified end user. */
export interface EndUser {
  session?: Session
  /** Undefined until they are loaded. */
  bookmarks?: ReadonlyArray<Choice>
}

/** The picker around the form. */
export interface SavedListener {
  /** The result, unless something newer replaced it or it failed, which is shown. */
  readonly ask: <A>(question: (signal: AbortSignal) => Promise<A>) => Promise<A | undefined>
  readonly messages: () => Messages
  /** Costs a credit. */
  readonly openSession: (identifier: string, signal: AbortSignal) => Promise<Session>
  readonly onForm: (form: SavedForm) => void
  /** Closes the form. */
  readonly onBookmarks: (found: ReadonlyArray<Choice>) => void
  /** Takes a text that is no identifier. False: it cannot be used. */
  readonly onOther: (text: string) => boolean
  readonly onCancel: () => void
}

/** An open form. */
export interface SavedForm {
  /** Updates all texts. */
  readonly render: (messages: Messages) => void
  /** Removes the form with what was typed. */
  readonly close: () => void
}

/** Whether a text looks like an 11-digit NIN or an email address; the service validates it. */
const isIdentifier = (text: string): boolean => /^(\d{11}|[^\s@]+@[^\s@]+\.[^\s@]+)$/.test(text)

/** Shows a form for the end user's identifier, and then the bookmarks. */
export const showSaved = async (
  user: EndUser,
  openForm: OpenForm,
  make: typeof makeNode,
  listener: SavedListener
): Promise<void> => {
  const { ask, onBookmarks, onCancel, openSession } = listener
  const show = async (open: (signal: AbortSignal) => Promise<Session>, onFailure: () => void): Promise<void> => {
    let current: AbortSignal | undefined
    const found = await ask(async (signal) => {
      current = signal
      user.session = await open(signal)
      return user.session.bookmarks(signal)
    })
    if (found) user.bookmarks = found
    // The user may have gone back or restarted meanwhile.
    if (found) onBookmarks(found)
    else if (!current?.aborted) onFailure()
  }
  const { bookmarks, session } = user
  if (bookmarks) return onBookmarks(bookmarks)
  if (session)
    return show(
      async () => session,
      () => {}
    )
  const onIdentifier = (identifier: string) => void show((signal) => openSession(identifier, signal), onCancel)
  listener.onForm(showForm(openForm, make, onIdentifier, listener))
}

/** Shows the form and focuses it. */
const showForm = (
  openForm: OpenForm,
  make: typeof makeNode,
  onIdentifier: (identifier: string) => void,
  { messages, onCancel, onOther }: SavedListener
): SavedForm => {
  const reason = make("p", { part: "reason", id: "reason" })
  const label = make("label", { part: "label", for: "identifier" })
  const identifier = make("input", {
    id: "identifier",
    part: "input identifier",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "none",
    "aria-describedby": "problem reason"
  })
  const problem = make("p", { part: "problem", id: "problem", role: "alert", class: "error" })
  const submit = () => {
    const text = identifier.value.trim()
    if (proceed.ariaBusy) return
    if (isIdentifier(text)) {
      proceed.ariaBusy = "true"
      onIdentifier(text)
    } else if (!onOther(text)) showProblem(true)
  }
  const showProblem = (isInvalid: boolean) => {
    identifier.ariaInvalid = isInvalid ? "true" : null
    problem.textContent = isInvalid ? messages().badIdentifier : ""
  }
  identifier.addEventListener("input", () => showProblem(false))
  const { cancel, close, proceed, title } = openForm([label, reason, identifier, problem], submit, onCancel)
  const render = (texts: Messages) => {
    showProblem(identifier.ariaInvalid === "true")
    title.textContent = texts.saved
    reason.textContent = texts.identifyHint
    label.textContent = texts.identify
    proceed.textContent = texts.continue
    cancel.textContent = texts.skip
  }
  render(messages())
  identifier.focus()
  return {
    render,
    close: () => {
      identifier.value = ""
      close()
    }
  }
}
