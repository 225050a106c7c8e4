import { Notice } from "../../kit/feedback/Notice.tsx"
import { Button, ButtonLink } from "../../kit/forms/Button.tsx"

export interface SentNoticeProps {
  readonly email: string
  /** How long the link works. */
  readonly lifetime: string
  /** Whether the service prints mail in place of sending it. */
  readonly isPrinted: boolean
  /** Whether only an address with an account gets a mail. */
  readonly needsAccount?: boolean
  /** Called to enter another address. */
  readonly onAgain: () => void
}

/** The same for every address, so that nobody learns which ones have an account. */
export const SentNotice = ({ email, isPrinted, lifetime, needsAccount = false, onAgain }: SentNoticeProps) => (
  <div class="stack">
    <Notice tone="good" title="Look into your mailbox" isSpoken>
      <p>
        {needsAccount ? (
          <>
            If <strong>{email}</strong> has an account, a mail is on its way.
          </>
        ) : (
          <>
            A mail is on its way to <strong>{email}</strong>.
          </>
        )}{" "}
        Its link works once, within {lifetime}. If nothing arrives, look into the spam folder, and check the address.
      </p>
    </Notice>
    {isPrinted && (
      <Notice tone="warning" title="This is a demonstration: it sends no mail">
        <p>It prints the mail, with the link, in the terminal in which the service runs.</p>
      </Notice>
    )}
    <div class="actions">
      <Button onClick={onAgain}>Change the address</Button>
      <ButtonLink to="/">Sign in</ButtonLink>
    </div>
  </div>
)
