/**
 * Discounts are approved by a manager, large ones by the board as well. Three faults: the title of
 * the message is misspelt, an edge waits for a label that the approval never gives, and the loop over
 * the lines of the quote has no body, so that it runs for none of them.
 */
import { defineFlow } from "@objectstack/spec/automation";

export const DiscountApproval = defineFlow({
  name: "discount_approval",
  label: "Discount approval",
  type: "record_change",
  status: "active",
  nodes: [
    {
      id: "start",
      type: "start",
      label: "A discount is asked for",
      config: { objectName: "quote", triggerType: "record-after-update" },
    },
    {
      id: "ask_manager",
      type: "approval",
      label: "Ask the manager",
      config: { approvers: [{ type: "manager" }] },
    },
    { id: "is_large", type: "decision", label: "Is it large?" },
    {
      id: "ask_board",
      type: "approval",
      label: "Ask the board",
      config: { approvers: [{ type: "field", value: "board_member" }] },
    },
    {
      id: "each_line",
      type: "loop",
      label: "Each line",
      config: { collection: "{record.lines}", iteratorVariable: "line" },
    },
    {
      id: "notify_owner",
      type: "notify",
      label: "Tell the owner",
      config: { recipients: ["{record.owner}"], titel: "Your discount is approved" },
    },
    { id: "end", type: "end", label: "Done" },
  ],
  edges: [
    { id: "e1", source: "start", target: "ask_manager" },
    { id: "e2", source: "ask_manager", target: "is_large", label: "approve" },
    { id: "e3", source: "ask_manager", target: "end", label: "rejected" },
    { id: "e4", source: "is_large", target: "ask_board", condition: "record.discount > 30" },
    { id: "e5", source: "is_large", target: "each_line", condition: "record.discount <= 30" },
    { id: "e6", source: "ask_board", target: "each_line", label: "approve" },
    { id: "e7", source: "ask_board", target: "end", label: "reject" },
    { id: "e8", source: "each_line", target: "notify_owner" },
    { id: "e9", source: "notify_owner", target: "end" },
  ],
});
