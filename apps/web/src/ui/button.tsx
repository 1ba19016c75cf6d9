import type { ComponentProps } from 'react'
import { Spinner } from './spinner.tsx'

const base =
  'relative inline-flex items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium select-none transition-colors ' +
  'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-default'

const variants = {
  primary: 'bg-accent text-accent-ink hover:bg-accent-hover',
  secondary: 'border border-line-strong/60 bg-surface text-text hover:bg-hover',
  quiet: 'text-muted hover:bg-hover hover:text-text',
  danger: 'border border-failed/50 text-failed bg-surface hover:bg-failed-soft',
}

const sizes = { md: 'h-9 px-3.5', sm: 'h-8 px-3 text-sm', icon: 'size-8' }

export type ButtonLook = { variant?: keyof typeof variants; size?: keyof typeof sizes }

/** The class of a button, for links that look like one. */
export const buttonClass = ({ variant = 'secondary', size = 'sm' }: ButtonLook = {}): string =>
  `${base} ${variants[variant]} ${sizes[size]}`

/** A button. While `busy` it keeps its focus and its width, says so, and does nothing when pressed. */
export const Button = ({
  variant,
  size,
  busy = false,
  className = '',
  children,
  onClick,
  ...rest
}: ComponentProps<'button'> & ButtonLook & { busy?: boolean | undefined }) => (
  <button
    type="button"
    {...rest}
    aria-disabled={busy || undefined}
    aria-busy={busy || undefined}
    onClick={busy ? (event) => event.preventDefault() : onClick}
    className={`${buttonClass({ ...(variant && { variant }), ...(size && { size }) })} ${className}`}
  >
    {busy && (
      <span className="absolute">
        <Spinner />
      </span>
    )}
    <span className={`inline-flex max-w-full items-center gap-2 ${busy ? 'opacity-0' : ''}`}>{children}</span>
  </button>
)
