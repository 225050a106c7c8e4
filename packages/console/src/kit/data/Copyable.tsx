import { announce } from "../feedback/announce.ts"
import { Button } from "../forms/Button.tsx"

export interface CopyableProps {
  readonly value: string
  /** The value's name, for the button: `Copy the link`. */
  readonly label: string
  /** As a block, over several lines if needed; otherwise inline. */
  readonly isBlock?: boolean
  /** Whether the button shows its whole name, where one could take the value for something else. */
  readonly isNamed?: boolean
  /** Called after the button copied the value. */
  readonly onCopied?: () => unknown
}

/** A value with a copy button. */
export const Copyable = ({ isBlock = false, isNamed = false, label, onCopied, value }: CopyableProps) => (
  <span class={isBlock ? "copyable block" : "copyable"}>
    <code>{value}</code>
    <Button
      kind={isBlock ? "plain" : "quiet"}
      icon="copy"
      label={`Copy ${label}`}
      onClick={() => copy(value, onCopied)}
    >
      {isNamed ? `Copy ${label}` : isBlock && "Copy"}
    </Button>
  </span>
)

const copy = async (value: string, onCopied: CopyableProps["onCopied"]): Promise<void> => {
  try {
    await navigator.clipboard.writeText(value)
    onCopied?.()
    announce("Copied")
  } catch {
    announce("The browser does not allow copying: select the text and copy it")
  }
}
