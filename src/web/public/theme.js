// Before the first paint: a theme that was chosen earlier, so that nothing flashes. The rest stands in app/theme.ts.
try {
  const chosen = localStorage.getItem("curlew.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is closed to us: the system's theme it is.
}
