"use strict";

/* A page opened from a disk may start no worker, which the search runs in: there it runs in a hidden frame instead.
   Zensical would load such a script from another host. */

(() => {
  class FrameWorker extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.tell(new MessageEvent("message", { data: structuredClone(data) }));
      inside.addEventListener("error", ({ message }) => this.tell(new ErrorEvent("error", { message })));
      this.loaded = new Promise((resolve) => {
        const script = inside.document.createElement("script");
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => this.tell(new ErrorEvent("error", { message: `${address} was not found` })));
        script.src = new URL(address, document.baseURI).href;
        inside.document.head.append(script);
      });
    }

    tell(event) {
      this.dispatchEvent(event);
      const handler = this[`on${event.type}`];
      if (handler) handler.call(this, event);
    }

    postMessage(data) {
      const { contentWindow } = this.frame;
      this.loaded.then(() => contentWindow.dispatchEvent(new contentWindow.MessageEvent("message", { data: structuredClone(data) })));
    }

    terminate() {
      this.frame.remove();
    }
  }

  if (window.location.protocol === "file:") window.Worker = FrameWorker;
})();
