import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Spinner } from '#ui/marks/spinner.tsx'
import { showReason } from '#ui/overlays/reason.ts'

const base =
  'relative inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium select-none transition-colors ' +
  'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-default data-refused:cursor-not-allowed data-refused:border-line data-refused:text-muted'

const variants = {
  primary: 'border border-transparent bg-accent text-accent-ink hover:bg-accent-hover data-refused:bg-idle-soft',
  secondary: 'border border-line-strong/60 bg-surface text-text hover:bg-hover data-refused:bg-idle-soft',
  quiet: 'text-muted hover:bg-hover hover:text-text data-refused:bg-transparent data-refused:opacity-75',
  danger: 'border border-failed/50 text-failed bg-surface hover:bg-failed-soft data-refused:bg-idle-soft',
}

const sizes = { md: 'h-9 px-3.5', sm: 'h-8 px-3 text-sm', icon: 'size-8 shrink-0' }

export type ButtonLook = { variant?: keyof typeof variants; size?: keyof typeof sizes }

export const buttonClass = ({ variant = 'secondary', size = 'sm' }: ButtonLook = {}): string =>
  `${base} ${variants[variant]} ${sizes[size]}`

export const refusedProps = (refused: string | null) =>
  refused === null ? {} : { 'data-refused': '', title: refused, 'aria-description': refused, 'aria-disabled': true }

type ButtonProps = ComponentProps<'button'> &
  ButtonLook & {
    icon?: LucideIcon
    busy?: boolean | undefined
    /** Reason why the reader may not press it; null when they may. */
    refused?: string | null | undefined
  }

/**
 * A button. While `busy` it keeps focus and width and ignores presses. A `refused` one stays focusable and shows the reason when pressed.
 */
export const Button = (props: ButtonProps) => {
  const { variant, size, icon: Icon, busy = false, refused = null, className = '', children, onClick, ...rest } = props
  const refuse: ButtonProps['onClick'] = (event) => {
    event.preventDefault()
    if (refused !== null && !busy) showReason(event.currentTarget, refused)
  }
  const look = buttonClass({ ...(variant && { variant }), ...(size && { size }) })
  return (
    <button
      type="button"
      {...rest}
      {...refusedProps(refused)}
      aria-disabled={busy || refused !== null || undefined}
      aria-busy={busy || undefined}
      onClick={busy || refused !== null ? refuse : onClick}
      className={`${look} ${className}`}
    >
      {busy && (
        <span className="absolute">
          <Spinner />
        </span>
      )}
      <span className={`inline-flex max-w-full items-center gap-2 ${busy ? 'opacity-0' : ''}`}>
        {Icon && <Icon className={size === 'md' ? 'size-4 shrink-0' : 'size-3.5 shrink-0'} aria-hidden="true" />}
        {children}
      </span>
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'variant' | 'size' | 'icon'> & {
  icon: LucideIcon
  /** Its name for screen readers. */
  label: string
  iconClass?: string
}

export const IconButton = ({ icon: Icon, label, iconClass = 'size-4', ...rest }: IconButtonProps) => (
  <Button variant="quiet" size="icon" aria-label={label} {...rest}>
    <Icon className={iconClass} aria-hidden="true" />
  </Button>
)
