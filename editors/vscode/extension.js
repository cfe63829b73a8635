// Starts `python -m tilescope lsp` for Python files; all else is the server's.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("tilescope").get("command");
  const documents = [{ scheme: "file", language: "python" }];
  client = new LanguageClient("tilescope", "Tilescope", { command, args }, { documentSelector: documents });
  return client.start();
};

exports.deactivate = () => client?.stop();
