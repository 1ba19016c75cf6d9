import type { ReactNode } from 'react'
import { StateMark, type Tone } from '#ui/marks/state-mark.tsx'

const looks: Partial<Record<Tone, string>> = {
  failed: 'bg-failed-soft border-failed/35',
  attention: 'bg-attention-soft border-attention/35',
  live: 'bg-live-soft border-live/30',
}

type NoticeProps = {
  tone: 'failed' | 'attention' | 'live' | 'done' | 'idle'
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  role?: 'status' | 'alert'
}

export const Notice = ({ tone, title, children, action, role }: NoticeProps) => (
  <div
    role={role}
    className={`flex items-start gap-2.5 rounded-md border px-3 py-2.5 text-sm ${looks[tone] ?? 'border-line bg-idle-soft'}`}
  >
    <StateMark tone={tone === 'live' ? 'idle' : tone} className="mt-0.5 size-4" />
    <div className="min-w-0 flex-1 wrap-anywhere">
      {title && (
        <p dir="auto" className="font-medium">
          {title}
        </p>
      )}
      {children && (
        <div dir="auto" className={title ? 'mt-0.5 text-muted' : ''}>
          {children}
        </div>
      )}
    </div>
    {action}
  </div>
)
