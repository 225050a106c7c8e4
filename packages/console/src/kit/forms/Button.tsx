import type { ComponentChildren, Ref } from "preact"
import { Icon, type IconName } from "../layout/Icon.tsx"

export interface ButtonProps {
  readonly children?: ComponentChildren
  /** `primary` once a screen at most; `danger` for what takes something away; `quiet` without a frame. */
  readonly kind?: "danger" | "plain" | "primary" | "quiet"
  /** While it works: it can be reached, and does nothing. */
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  /** Whether what it chooses is chosen, for a button that chooses something. */
  readonly isPressed?: boolean
  readonly type?: "button" | "submit"
  readonly icon?: IconName
  /** What it is called where its words alone do not say it, such as `Remove Ada Obi`. */
  readonly label?: string
  readonly onClick?: () => unknown
  readonly ref?: Ref<HTMLButtonElement>
}

/** Does something on this screen. */
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
    {isBusy && <span class="unseen">, at work</span>}
  </button>
)

/** A way to another screen that looks like a button. */
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
