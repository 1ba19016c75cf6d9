import { Rows3, Rows4 } from 'lucide-react'
import { switchCompact, useCompact } from '#ui/live-list/density.ts'
import { MenuItem } from '#ui/overlays/menu-item.tsx'

/** Command that makes the rows of lists compact, or comfortable again. */
export const DensityItem = () => {
  const isCompact = useCompact()
  return (
    <MenuItem icon={isCompact ? <Rows3 /> : <Rows4 />} onSelect={() => switchCompact(!isCompact)}>
      {isCompact ? 'Comfortable rows' : 'Compact rows'}
    </MenuItem>
  )
}
