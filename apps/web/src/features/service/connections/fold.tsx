import { useState, type ReactNode } from 'react'

/** A line that opens further facts. Renders them only while it is open. */
export const Fold = ({ title, children }: { title: ReactNode; children: ReactNode }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="border-t border-line" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer py-2 text-sm">{title}</summary>
      {isOpen && <div className="space-y-4 pt-1 pb-4">{children}</div>}
    </details>
  )
}
