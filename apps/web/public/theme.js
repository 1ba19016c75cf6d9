// Runs before the first paint, so that a chosen theme does not flash. The page's content policy allows no inline script.
try {
  const theme = localStorage.getItem('docket.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without access to storage, the system's theme applies.
}
