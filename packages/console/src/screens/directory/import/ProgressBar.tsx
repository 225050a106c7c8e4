export interface ProgressBarProps {
  /** What is going on: `Uploading`. */
  readonly label: string
  /** From 0 to 1; undefined if it is not known. */
  readonly share: number | undefined
  /** How far it is, in words. */
  readonly children: string
}

/** A progress bar with words. Screen readers find its value without being told of each step. */
export const ProgressBar = ({ children, label, share }: ProgressBarProps) => (
  <div class="import-progress">
    <p>{label} …</p>
    <progress aria-label={label} {...(share !== undefined && { value: share })} />
    <p class="muted amount">{children}</p>
  </div>
)
