// Time spent on what is shown: counted while the page is in sight, not paused, and somebody is there.
const IDLE = 120_000; // milliseconds without a key, a touch or a move after which nobody is taken to be there
const LONGEST_TICK = 2_000; // a laptop that was closed does not count

const createClock = (ticked) => {
  let spent = 0;
  let last = performance.now();
  let touched = last;
  let paused = true;

  const count = () => {
    const now = performance.now();
    const working = !paused && document.visibilityState === "visible" && now - touched < IDLE;
    if (working) spent += Math.min(now - last, LONGEST_TICK);
    last = now;
  };
  for (const kind of ["keydown", "pointerdown", "pointermove", "scroll", "wheel"])
    addEventListener(kind, () => { touched = performance.now(); }, { passive: true, capture: true });
  setInterval(() => {
    count();
    ticked();
  }, 1000);

  return {
    seconds: () => spent / 1000,
    restart: () => {
      count();
      spent = 0;
    },
    read: () => {
      count();
      return Math.round(spent / 100) / 10;
    },
    pause: (value) => {
      count();
      paused = value;
    },
  };
};

const asTime = (seconds) => {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")} min`;
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")} h`;
};
