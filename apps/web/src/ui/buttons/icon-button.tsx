import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'children' | 'variant' | 'size'> & {
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
