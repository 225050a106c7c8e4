import type { ComponentChildren, Ref } from "preact"
import { Icon, type IconName } from "../layout/Icon.tsx"

export interface ButtonProps {
  readonly children?: ComponentChildren
  /** `primary` at most once per screen; `danger` for removals; `quiet` without a frame. */
  readonly kind?: "danger" | "plain" | "primary" | "quiet"
  /** While busy, the button stays focusable but does nothing. */
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  /** The pressed state of a toggle button. */
  readonly isPressed?: boolean
  readonly type?: "button" | "submit"
  readonly icon?: IconName
  /** The accessible name if the label is ambiguous, such as `Remove Ada Obi`. */
  readonly label?: string
  readonly onClick?: () => unknown
  readonly ref?: Ref<HTMLButtonElement>
}

/** A button that acts on this screen. */
export const Button = ({
  children,
  icon,
  isBusy = false,
  isDisabled = false,
  isPressed,
  kind = "plain",
  label,
  onClick,
  ref,
  type = "button"
}: ButtonProps) => (
  <button
    ref={ref ?? null}
    type={type}
    class={`button ${kind}`}
    disabled={isDisabled}
    aria-disabled={isBusy}
    aria-label={label}
    aria-pressed={isPressed}
    onClick={(event) => {
      if (isBusy) event.preventDefault()
      else onClick?.()
    }}
  >
    {isBusy ? <span class="spinner" /> : icon && <Icon name={icon} />}
    {children && <span>{children}</span>}
    {isBusy && <span class="unseen">, busy</span>}
  </button>
)

/** A link to another screen that looks like a button. */
export const ButtonLink = ({ children, icon, kind = "plain", to }: ButtonLinkProps) => (
  <a class={`button ${kind}`} href={`#${to}`}>
    {icon && <Icon name={icon} />}
    <span>{children}</span>
  </a>
)

export interface ButtonLinkProps extends Pick<ButtonProps, "children" | "icon" | "kind"> {
  /** `/organizations/org_1/keys` */
  readonly to: string
}
