// Opened from a folder, a page may start no worker: its search then runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = `<script src="${url}"></script>`;
      this.inside = new Promise((loaded) => {
        frame.onload = () => {
          frame.contentWindow.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          loaded(frame.contentWindow);
        };
      });
      document.body.append(frame);
    }

    postMessage(data) {
      this.inside.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
