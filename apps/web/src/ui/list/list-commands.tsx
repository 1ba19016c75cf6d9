import { Download, Rows3, Rows4 } from 'lucide-react'
import { formatMatches } from '#lib/text/format.ts'
import type { Counts } from '#ui/live-list/live-rows.tsx'
import { MenuItem } from '#ui/overlays/menu-item.tsx'
import { saveFile } from '#ui/copying/save-file.ts'
import { switchCompact, useCompact } from '#ui/live-list/density.ts'

const DensityItem = () => {
  const isCompact = useCompact()
  return (
    <MenuItem icon={isCompact ? <Rows3 /> : <Rows4 />} onSelect={() => switchCompact(!isCompact)}>
      {isCompact ? 'Comfortable rows' : 'Compact rows'}
    </MenuItem>
  )
}

export const ListCommands = ({ csvPath, counts }: { csvPath: string; counts: Counts }) => {
  const matches = counts.matching ?? { count: counts.all, more: false }
  const refused = matches.count === 0 ? 'Nothing matches these filters.' : null
  return (
    <>
      <MenuItem icon={<Download />} refused={refused} onSelect={() => saveFile(csvPath)}>
        {`Download CSV (${formatMatches(matches)})`}
      </MenuItem>
      <DensityItem />
    </>
  )
}
