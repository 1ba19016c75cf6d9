/** Titles and subtitles that need no data, by address: the page shows them before its scripts have run. */
export const headings = {
  '/': { title: 'Overview', about: 'Running, needs attention, ready to download.' },
  '/exports': { title: 'Exports', about: 'Download your documentation sites as static files.' },
  '/sites': { title: 'Sites', about: 'What readers see, and what waits.' },
  '/agent-jobs': { title: 'Agent jobs', about: 'Waiting, working, ready for review.' },
  '/availability': {
    title: 'Availability',
    about: 'Features by kind of deployment.',
  },
} as const
