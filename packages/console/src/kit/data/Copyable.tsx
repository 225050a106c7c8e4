import { announce } from "../feedback/announce.ts"
import { Button } from "../forms/Button.tsx"

export interface CopyableProps {
  readonly value: string
  /** What it is, for the button's name: `Copy the link`. */
  readonly label: string
  /** In a box of its own, over several lines if need be; else as a part of a line. */
  readonly isBlock?: boolean
  /** Told once its button has copied it. */
  readonly onCopied?: () => unknown
}

/** A value and the button that copies it. */
export const Copyable = ({ isBlock = false, label, onCopied, value }: CopyableProps) => (
  <span class={isBlock ? "copyable block" : "copyable"}>
    <code>{value}</code>
    <Button
      kind={isBlock ? "plain" : "quiet"}
      icon="copy"
      label={`Copy ${label}`}
      onClick={() => copy(value, onCopied)}
    >
      {isBlock && "Copy"}
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
